//! `?fields=version,owing,state.zones`: selects members of a JSON answer. Every endpoint that answers with JSON has it.
//!
//! The router reads the parameter before the handler runs and compares it with the OpenAPI document, so an unknown name is
//! refused with the list of those that exist, even if this answer would not have it. The selection is applied to the
//! finished answer: handlers, stored responses and entity tags know nothing of it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;

use actix_web::HttpMessage;
use actix_web::body::to_bytes;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{Error, HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::Value;

use crate::api::document::form::Form;
use crate::api::document::openapi;
use crate::api::document::shape::{self, Shape};
use crate::api::request::accept::{self, EVENT_STREAM, JSON, JSON_LINES};
use crate::api::request::path;
use crate::api::response::problem::{Code, Problem};
use crate::api::response::respond;
use crate::api::response::stored_response::is_secret;

pub const PARAMETER: &str = "fields";
/// Limits of what a client can select.
const PATHS_MAX: usize = 100;
const DEPTH_MAX: usize = 16;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi::document(Form::Clients));

/// Members to keep, with the members to keep in each of them. Without any, a value is kept whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection(BTreeMap<String, Selection>);

#[derive(Deserialize)]
struct Parameter {
    fields: String,
}

/// Returns the selection of a request, if it has one and its answer can be JSON.
pub fn of(request: &ServiceRequest) -> Result<Option<Rc<Selection>>, Problem> {
    let texts = asked(request.query_string())?;
    if texts.is_empty() {
        return Ok(None);
    }
    let Some(answer) = answer(request.request()) else {
        return Ok(None);
    };
    let selection = Selection::parse(&texts.join(","))?;
    selection.check(&answer, "the answer")?;
    Ok(Some(Rc::new(selection)))
}

/// Returns the query without this parameter, which the router has taken care of.
pub fn rest_of_query(request: &HttpRequest) -> Option<String> {
    request.extensions().get::<Rc<Selection>>()?;
    let is_other = |pair: &&str| !is_ours(pair);
    let pairs: Vec<&str> = request.query_string().split('&').filter(is_other).collect();
    Some(pairs.join("&"))
}

/// Returns the selection that the router noted in a request.
pub fn noted(request: &HttpRequest) -> Option<Rc<Selection>> {
    request.extensions().get().cloned()
}

fn is_ours(pair: &str) -> bool {
    pair.split('=').next() == Some(PARAMETER)
}

fn asked(query: &str) -> Result<Vec<String>, Problem> {
    let pairs = query.split('&').filter(|pair| is_ours(pair));
    let text = |pair| match web::Query::<Parameter>::from_query(pair) {
        Ok(parameter) => Ok(parameter.into_inner().fields),
        Err(_) => Err(Problem::malformed(
            PARAMETER,
            "`fields` is not readable; see its documentation",
        )),
    };
    pairs.map(text).collect()
}

impl Selection {
    fn parse(text: &str) -> Result<Selection, Problem> {
        let paths: Vec<&str> = text.split(',').map(str::trim).collect();
        let most = format!("`fields` can have up to {PATHS_MAX} names of up to {DEPTH_MAX} parts");
        let depth = |path: &&str| path.split('.').count();
        if paths.len() > PATHS_MAX || paths.iter().map(depth).max() > Some(DEPTH_MAX) {
            return Err(Problem::malformed(PARAMETER, most));
        }
        let mut whole = Vec::new();
        let mut selection = Selection::default();
        for path in paths {
            if path.split('.').any(str::is_empty) {
                let example =
                    "`fields` lists names such as `version,state.zones`; one of them is empty";
                return Err(Problem::malformed(PARAMETER, example));
            }
            selection.add(path);
            whole.push(path);
        }
        // A member that is named by itself is kept whole.
        whole.iter().for_each(|path| selection.keep_whole(path));
        Ok(selection)
    }

    fn add(&mut self, path: &str) {
        let steps = path.split('.');
        steps.fold(self, |at, step| at.0.entry(step.to_owned()).or_default());
    }

    fn keep_whole(&mut self, path: &str) {
        let mut steps = path.split('.');
        let end = steps.try_fold(self, |at, step| at.0.get_mut(step));
        if let Some(end) = end {
            end.0.clear();
        }
    }

    /// Refuses names that this answer cannot have.
    fn check(&self, answer: &Shape, of: &str) -> Result<(), Problem> {
        for (name, inner) in &self.0 {
            let known = answer
                .member(name)
                .map_err(|known| unknown(name, of, known))?;
            inner.check(&known, &format!("`{name}`"))?;
        }
        Ok(())
    }

    /// Keeps only the selected members. Lists are passed through: their elements are selected from.
    pub fn apply(&self, value: &mut Value) {
        match value {
            _ if self.0.is_empty() => {}
            Value::Object(members) => members.retain(|name, value| {
                let selected = self.0.get(name);
                selected.iter().for_each(|selection| selection.apply(value));
                selected.is_some()
            }),
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.apply(element)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Selects from a JSON document, and keeps secrets that are shown only once.
    pub fn applied(&self, json: &[u8]) -> Result<Vec<u8>, Problem> {
        let mut value: Value = serde_json::from_slice(json).map_err(|error| {
            tracing::error!(%error, "an answer cannot be read to select from it");
            Problem::new(Code::Internal)
        })?;
        let members = value.as_object().into_iter().flatten();
        let secrets = members.filter(|(name, value)| is_secret(name, value));
        let secrets: Vec<(String, Value)> = secrets
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        self.apply(&mut value);
        if let Value::Object(members) = &mut value {
            members.extend(secrets);
        }
        respond::bytes(&value)
    }

    /// Selects from each line of a text.
    fn applied_to_lines(&self, lines: &[u8]) -> Result<Vec<u8>, Problem> {
        let mut selected = Vec::new();
        let lines = lines.split(|byte| *byte == b'\n');
        for line in lines.filter(|line| !line.is_empty()) {
            selected.extend(self.applied(line)?);
            selected.push(b'\n');
        }
        Ok(selected)
    }
}

fn unknown(name: &str, of: &str, known: Vec<String>) -> Problem {
    let detail = match known.is_empty() {
        true => format!("`fields` names `{name}`, but {of} has no members"),
        false => {
            let listed: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "`fields` names `{name}`, which {of} does not have; it has {}",
                listed.join(", ")
            )
        }
    };
    Problem::malformed(PARAMETER, detail)
}

/// Applies the selection to a finished answer.
pub async fn select(
    selection: &Selection,
    response: ServiceResponse,
) -> Result<ServiceResponse, Error> {
    let media_type = response.headers().get(CONTENT_TYPE);
    let media_type = media_type.and_then(|media_type| media_type.to_str().ok());
    let is_lines = media_type == Some(JSON_LINES);
    if !response.status().is_success() || !(is_lines || media_type == Some(JSON)) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (response, body) = response.into_parts();
    let body = to_bytes(body).await?;
    let selected = match is_lines {
        true => selection.applied_to_lines(&body),
        false => selection.applied(&body),
    };
    let response = match selected {
        Ok(selected) => response.set_body(selected).map_into_boxed_body(),
        Err(problem) => HttpResponse::from_error(problem),
    };
    Ok(ServiceResponse::new(request, response))
}

/// Returns the shape of the answer to a request. `None` if it cannot be JSON.
fn answer(request: &HttpRequest) -> Option<Shape<'static>> {
    let path = path::pattern_of(request)?.0;
    let method = request.method().as_str().to_lowercase();
    let operation = DOCUMENT.get("paths")?.get(path)?.get(&method)?;
    let mut offers = shape::forms(operation);
    if offers.contains(&JSON_LINES) {
        offers.push(EVENT_STREAM); // an operation of its own in the document
    }
    let media = accept::best(request, &offers).or(offers.first().copied().ok_or(()));
    Some(Shape::of_answer(&DOCUMENT, operation, media.ok()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn selected(fields: &str, mut value: Value) -> Value {
        Selection::parse(fields).unwrap().apply(&mut value);
        value
    }

    #[test]
    fn members_are_selected_at_any_depth_and_from_each_element_of_a_list() {
        let page = json!({"items": [{"id": 1, "at": {"x": 2, "y": 3}}, {"id": 4}], "next": null});
        assert_eq!(selected("next", page.clone()), json!({"next": null}));
        assert_eq!(
            selected("items.at.x,next", page.clone()),
            json!({"items": [{"at": {"x": 2}}, {}], "next": null})
        );
        // A member that is named by itself stays whole.
        assert_eq!(
            selected("items,items.id", page.clone())["items"],
            page["items"]
        );
        assert_eq!(
            selected("items.id,items", page.clone())["items"],
            page["items"]
        );
    }

    #[test]
    fn a_selection_has_limits() {
        for bad in ["", "a,,b", "a.", &"a.".repeat(20), &"a,".repeat(200)] {
            assert!(Selection::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_names_are_refused_with_those_that_exist() {
        let operation = &DOCUMENT["paths"]["/v1/sessions/{session}/view"]["get"];
        let view = Shape::of_answer(&DOCUMENT, operation, JSON);
        let check = |fields: &str| Selection::parse(fields).unwrap().check(&view, "the answer");
        for good in [
            "version",
            "state.zones.hand-1.count",
            "decisions.choices.label",
        ] {
            check(good).unwrap();
        }
        let refused = |fields| check(fields).unwrap_err().into_document().detail.unwrap();
        assert!(
            refused("versoin").contains("`session`, `version`"),
            "{}",
            refused("versoin")
        );
        assert!(refused("decisions.label").contains("`decisions` does not have; it has `id`"));
        assert!(refused("version.x").contains("`version` has no members"));
    }
}
