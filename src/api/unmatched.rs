//! What no handler takes: a wrong method is 405 with `Allow`, everything else 404.

use actix_web::dev::ResourceDef;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::Value;

use super::openapi;
use super::problem::{Code, Problem};

/// Every path there is, with its methods.
pub struct Methods(Vec<(ResourceDef, String)>);

impl Methods {
    pub fn of(document: &Value) -> Methods {
        let paths = openapi::methods(document).into_iter();
        let resources = paths.map(|(path, mut methods)| {
            if methods.iter().any(|method| method == "GET") {
                methods.push("HEAD".into());
            }
            (ResourceDef::new(path), methods.join(", "))
        });
        Methods(resources.collect())
    }

    fn allowed(&self, path: &str) -> Option<&str> {
        let mut resources = self.0.iter();
        let found = resources.find(|(resource, _)| resource.is_match(path));
        found.map(|(_, methods)| methods.as_str())
    }
}

pub async fn answer(
    request: HttpRequest,
    methods: web::Data<Methods>,
) -> Result<HttpResponse, Problem> {
    Err(match methods.allowed(request.path()) {
        Some(allowed) => Problem::new(Code::MethodNotAllowed).allow(allowed.to_owned()),
        None => Problem::new(Code::NotFound),
    })
}
