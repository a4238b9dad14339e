//! `?fields=version,owing,state.zones`: selects members of a JSON answer. Every endpoint that answers with JSON has it.
//!
//! The router reads the parameter before the handler runs and compares it with the OpenAPI document, so an unknown name is
//! refused with the list of those that exist, even if this answer would not have it. The selection is applied to the
//! finished answer: handlers, stored responses and entity tags know nothing of it.

use std::rc::Rc;
use std::sync::LazyLock;

use actix_web::body::to_bytes;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::{Error, HttpRequest, HttpResponse};
use serde_json::Value;

use crate::api::request::fields::{PARAMETER, Selection, asked};
use crate::api::request::path;
use crate::api::response::respond;
use crate::api::response::shape::{self, AnswerShape};
use crate::api::response::stored_response::is_secret;
use crate::api::shared::accept::{self, EVENT_STREAM, JSON, JSON_LINES};
use crate::api::shared::problem::{Problem, ProblemCode};

/// Returns the selection of a request, if it has one and its answer can be JSON according to the OpenAPI document.
pub fn of(
    request: &ServiceRequest,
    document: &LazyLock<Value>,
) -> Result<Option<Rc<Selection>>, Problem> {
    let texts = asked(request.query_string())?;
    if texts.is_empty() {
        return Ok(None);
    }
    let Some(answer) = answer(request.request(), document) else {
        return Ok(None);
    };
    let selection = Selection::parse(&texts.join(","))?;
    selection.check(&answer, "the answer")?;
    Ok(Some(Rc::new(selection)))
}

impl Selection {
    /// Refuses names that this answer cannot have.
    fn check(&self, answer: &AnswerShape, of: &str) -> Result<(), Problem> {
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
            Problem::new(ProblemCode::Internal)
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
fn answer<'d>(request: &HttpRequest, document: &'d Value) -> Option<AnswerShape<'d>> {
    let path = path::pattern_of(request)?.0;
    let method = request.method().as_str().to_lowercase();
    let operation = document.get("paths")?.get(path)?.get(&method)?;
    let mut offers = shape::forms(operation);
    if offers.contains(&JSON_LINES) {
        offers.push(EVENT_STREAM); // an operation of its own in the document
    }
    let media = accept::best(request, &offers).or(offers.first().copied().ok_or(()));
    Some(AnswerShape::of_answer(document, operation, media.ok()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::DOCUMENT;

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
    fn unknown_names_are_refused_with_those_that_exist() {
        let operation = &DOCUMENT["paths"]["/v1/sessions/{session}/view"]["get"];
        let view = AnswerShape::of_answer(&DOCUMENT, operation, JSON);
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
