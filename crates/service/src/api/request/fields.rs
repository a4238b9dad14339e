//! `?fields=version,owing,state.zones`: the members of a JSON answer that a client selects.

use std::collections::BTreeMap;
use std::rc::Rc;

use actix_web::{HttpMessage, HttpRequest, web};
use serde::Deserialize;

use crate::api::shared::problem::Problem;

pub const PARAMETER: &str = "fields";
/// Limits of what a client can select.
pub const PATHS_MAX: usize = 100;
const DEPTH_MAX: usize = 16;

/// Members to keep, with the members to keep in each of them. Without any, a value is kept whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection(pub BTreeMap<String, Selection>);

#[derive(Deserialize)]
struct Parameter {
    fields: String,
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

/// Returns the values of this parameter in a query.
pub fn asked(query: &str) -> Result<Vec<String>, Problem> {
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
    pub fn parse(text: &str) -> Result<Selection, Problem> {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_has_limits() {
        for bad in ["", "a,,b", "a.", &"a.".repeat(20), &"a,".repeat(200)] {
            assert!(Selection::parse(bad).is_err(), "{bad}");
        }
    }
}
