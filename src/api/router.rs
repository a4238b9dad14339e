//! Which handler a request is for. What no handler takes: a wrong method is 405 with `Allow`, everything else 404.
//!
//! Paths are compared part by part. The framework would try a regular expression for each resource until one fits, and
//! every worker would keep all of them, which was most of its memory; here one is made for a path when it is first asked
//! for, and does nothing but take the names out of it.

use std::cell::OnceCell;
use std::future::ready;
use std::rc::Rc;

use actix_service::{Service, ServiceFactory};
use actix_web::dev::{ResourceDef, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::{Error, FromRequest, Handler, Responder, web};
use futures_util::future::{LocalBoxFuture, try_join_all};

use super::problem::{Code, Problem};

type RouteService = <actix_web::Route as ServiceFactory<ServiceRequest>>::Service;

/// A handler, and what it is asked by.
pub struct Route {
    pub method: Method,
    /// `/v1/games/{game}`
    pub path: &'static str,
    handler: actix_web::Route,
}

/// The path of the resource that a request is for, as the description has it: `/v1/games/{game}`.
pub fn pattern_of(path: &str) -> Option<&'static str> {
    let mut patterns = super::PATHS.iter();
    patterns.find(|pattern| fits(pattern, path)).copied()
}

impl Route {
    pub fn new<F, Args>(method: Method, path: &'static str, handler: F) -> Route
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Route {
            method,
            path,
            handler: web::route().to(handler),
        }
    }
}

/// Makes the router of a worker.
pub struct RouterFactory(Rc<Vec<Route>>);

impl RouterFactory {
    pub fn new(routes: Vec<Route>) -> RouterFactory {
        RouterFactory(Rc::new(routes))
    }
}

impl ServiceFactory<ServiceRequest> for RouterFactory {
    type Response = ServiceResponse;
    type Error = Error;
    type Config = ();
    type Service = Router;
    type InitError = ();
    type Future = LocalBoxFuture<'static, Result<Router, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let routes = self.0.clone();
        Box::pin(async move {
            let handlers = routes.iter().map(|route| route.handler.new_service(()));
            let handlers = try_join_all(handlers).await?;
            let mut resources: Vec<Resource> = Vec::new();
            for (route, handler) in routes.iter().zip(handlers) {
                let known = resources.iter_mut().find(|known| known.path == route.path);
                let handler = (route.method.clone(), handler);
                match known {
                    Some(known) => known.handlers.push(handler),
                    None => resources.push(Resource::new(route.path, handler)),
                }
            }
            Ok(Router { resources })
        })
    }
}

/// Hands requests to their handlers.
pub struct Router {
    resources: Vec<Resource>,
}

impl Service<ServiceRequest> for Router {
    type Response = ServiceResponse;
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<ServiceResponse, Error>>;

    actix_service::always_ready!();

    fn call(&self, mut request: ServiceRequest) -> Self::Future {
        let path = request.match_info().unprocessed();
        let found = self.resources.iter().find(|known| fits(known.path, path));
        let Some(resource) = found else {
            return refused(request, Problem::new(Code::NotFound));
        };
        let Some(handler) = resource.handler(request.method()) else {
            let problem = Problem::new(Code::MethodNotAllowed).allow(resource.allowed());
            return refused(request, problem);
        };
        resource.take_names(&mut request);
        handler.call(request)
    }
}

fn refused(
    request: ServiceRequest,
    problem: Problem,
) -> LocalBoxFuture<'static, Result<ServiceResponse, Error>> {
    let response = request.error_response(problem);
    Box::pin(ready(Ok(response)))
}

/// Everything at one path.
struct Resource {
    path: &'static str,
    /// Takes the names out of a path; made for the first request.
    names: OnceCell<ResourceDef>,
    handlers: Vec<(Method, RouteService)>,
}

impl Resource {
    fn new(path: &'static str, handler: (Method, RouteService)) -> Resource {
        Resource {
            path,
            names: OnceCell::new(),
            handlers: vec![handler],
        }
    }

    fn handler(&self, method: &Method) -> Option<&RouteService> {
        let found = self.handlers.iter().find(|(known, _)| known == method);
        found.map(|(_, handler)| handler)
    }

    fn take_names(&self, request: &mut ServiceRequest) {
        let names = self.names.get_or_init(|| ResourceDef::new(self.path));
        names.capture_match_info(request);
    }

    /// `GET, PUT, HEAD`: `HEAD` is answered as `GET` would be.
    fn allowed(&self) -> String {
        let mut methods: Vec<&str> = METHODS.into_iter().filter(|name| self.has(name)).collect();
        if self.has("GET") {
            methods.push("HEAD");
        }
        methods.join(", ")
    }

    fn has(&self, method: &str) -> bool {
        self.handlers.iter().any(|(known, _)| known == method)
    }
}

/// In the order in which they are told.
const METHODS: [&str; 4] = ["GET", "PUT", "POST", "DELETE"];

/// Is the path one of `/v1/games/{game}`? A name in braces stands for one part that is not empty.
fn fits(pattern: &str, path: &str) -> bool {
    let mut parts = path.split('/');
    let fits = pattern.split('/').all(|wanted| {
        let part = parts.next();
        match wanted.starts_with('{') {
            true => part.is_some_and(|part| !part.is_empty()),
            false => part == Some(wanted),
        }
    });
    fits && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
            "/v1/x/toll",
        ] {
            assert!(!fits("/v1/games/{game}", other), "{other}");
        }
    }

    #[test]
    fn a_path_is_told_by_its_pattern() {
        let told = |path| super::pattern_of(path);
        assert_eq!(told("/v1/games/toll"), Some("/v1/games/{game}"));
        assert_eq!(told("/v1/games"), Some("/v1/games"));
        assert_eq!(told("/v1/nothing"), None);
    }

    #[test]
    fn what_is_served_is_what_is_described() {
        let routes = crate::api::routes().into_iter();
        let served = routes.map(|route| (route.path.to_owned(), route.method.to_string()));
        let document = crate::api::openapi::document();
        let paths = document["paths"].as_object().unwrap();
        let described = paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| (path.clone(), method.to_uppercase()))
        });
        let described: BTreeSet<(String, String)> = described.collect();
        assert_eq!(served.collect::<BTreeSet<_>>(), described);
    }
}
