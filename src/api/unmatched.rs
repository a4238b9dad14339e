//! What no handler takes: a wrong method is 405 with `Allow`, everything else 404.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use super::context::App;
use super::openapi;
use super::problem::{Code, Problem};

/// Every path there is, with its methods.
pub struct Methods(Vec<(String, String)>);

impl Methods {
    pub fn of(document: &Value) -> Methods {
        let paths = openapi::methods(document).into_iter();
        let resources = paths.map(|(path, mut methods)| {
            if methods.iter().any(|method| method == "GET") {
                methods.push("HEAD".into());
            }
            (path, methods.join(", "))
        });
        Methods(resources.collect())
    }

    fn allowed(&self, path: &str) -> Option<&str> {
        let mut resources = self.0.iter();
        let found = resources.find(|(template, _)| fits(template, path));
        found.map(|(_, methods)| methods.as_str())
    }
}

/// Is the path one of `/v1/games/{game}`? A name in braces stands for one part that is not empty.
fn fits(template: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let fits = template.split('/').all(|wanted| {
        let part = parts.next();
        match wanted.starts_with('{') {
            true => part.is_some_and(|part| !part.is_empty()),
            false => part == Some(wanted),
        }
    });
    fits && parts.next().is_none()
}

pub async fn answer(request: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    Err(match app.description.methods().allowed(request.path()) {
        Some(allowed) => Problem::new(Code::MethodNotAllowed).allow(allowed.to_owned()),
        None => Problem::new(Code::NotFound),
    })
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_name_in_braces_stands_for_one_part() {
        assert!(fits("/v1/games/{game}", "/v1/games/toll"));
        assert!(fits("/v1/games", "/v1/games"));
        for other in [
            "/v1/games/",
            "/v1/games",
            "/v1/games/toll/",
            "/v1/games/toll/x",
            "/v1/rules/toll",
        ] {
            assert!(!fits("/v1/games/{game}", other), "{other}");
        }
    }
}
