//! Routes requests to handlers. An unsupported method is 405 with `Allow`; an unknown path is 404.
//!
//! The router stands in front of the application, which has only what is not part of the API, such as the pages: a request
//! for a resource does not pass their routes.

use std::future::ready;
use std::rc::Rc;
use std::sync::LazyLock;

use actix_service::{Service, ServiceFactory, Transform};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::{Error, FromRequest, Handler, HttpMessage, Responder, web};
use futures_util::future::{LocalBoxFuture, try_join_all};
use serde_json::Value;

use crate::api::request::path::Patterns;
use crate::api::request::request_key::KeyScope;
use crate::api::response::fields;
use crate::api::serving::idempotency::{self, RouteService};
use crate::api::shared::problem::{Problem, ProblemCode};

/// A method and a path, with their handler.
pub struct Route {
    pub method: Method,
    /// `/v1/games/{game}`
    pub path: &'static str,
    /// Where the responses of a write are stored for repeated requests.
    pub scope: Option<KeyScope>,
    handler: actix_web::Route,
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
            scope: None,
            handler: web::route().to(handler),
        }
    }

    /// Marks this route as a write.
    pub fn keyed(self, scope: KeyScope) -> Route {
        Route {
            scope: Some(scope),
            ..self
        }
    }
}

/// Creates the router of a worker.
pub struct RouterFactory {
    pub routes: Rc<Vec<Route>>,
    /// The patterns of the paths of these routes.
    pub patterns: &'static Patterns,
    /// The OpenAPI document of these routes, built when a request first selects members.
    pub document: &'static LazyLock<Value>,
}

impl<S> Transform<S, ServiceRequest> for RouterFactory
where
    S: Service<ServiceRequest, Response = ServiceResponse, Error = Error> + 'static,
    S::Future: 'static,
{
    type Response = ServiceResponse;
    type Error = Error;
    type Transform = Router<S>;
    type InitError = ();
    type Future = LocalBoxFuture<'static, Result<Router<S>, ()>>;

    fn new_transform(&self, others: S) -> Self::Future {
        let (routes, patterns, document) = (self.routes.clone(), self.patterns, self.document);
        Box::pin(async move {
            let handlers = routes.iter().map(|route| route.handler.new_service(()));
            let handlers = try_join_all(handlers).await?;
            let resource = |_| Resource::default();
            let mut resources: Vec<Resource> = patterns.all.iter().map(resource).collect();
            for (route, handler) in routes.iter().zip(handlers) {
                let mut all = patterns.all.iter();
                let number = all.position(|pattern| pattern.0 == route.path);
                if let Some(resource) = number.and_then(|number| resources.get_mut(number)) {
                    resource.handlers.push(RouteMethod {
                        method: route.method.clone(),
                        scope: route.scope,
                        handler: Rc::new(handler),
                    });
                }
            }
            Ok(Router {
                resources,
                others,
                patterns,
                document,
            })
        })
    }
}

/// Dispatches requests to their handlers.
pub struct Router<S> {
    /// The resources, indexed like the patterns.
    resources: Vec<Resource>,
    /// Answers requests for paths without a resource.
    others: S,
    patterns: &'static Patterns,
    document: &'static LazyLock<Value>,
}

impl<S> Service<ServiceRequest> for Router<S>
where
    S: Service<ServiceRequest, Response = ServiceResponse, Error = Error> + 'static,
    S::Future: 'static,
{
    type Response = ServiceResponse;
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<ServiceResponse, Error>>;

    actix_service::always_ready!();

    fn call(&self, mut request: ServiceRequest) -> Self::Future {
        let number = self.patterns.find(&mut request);
        let Some(resource) = number.and_then(|number| self.resources.get(number)) else {
            return Box::pin(self.others.call(request));
        };
        let Some(handling) = resource.handling(request.method()) else {
            let problem = Problem::new(ProblemCode::MethodNotAllowed).allow(resource.allowed());
            return refused(request, problem);
        };
        let selection = match fields::of(&request, self.document) {
            Ok(selection) => selection,
            Err(problem) => return refused(request, problem),
        };
        if let Some(selection) = &selection {
            request.extensions_mut().insert(selection.clone());
        }
        let answer = match handling.scope {
            Some(scope) => {
                let handler = handling.handler.clone();
                Box::pin(idempotency::serve(handler, scope, request))
            }
            None => handling.handler.call(request),
        };
        match selection {
            Some(selection) => {
                Box::pin(async move { fields::select(&selection, answer.await?).await })
            }
            None => answer,
        }
    }
}

fn refused(
    request: ServiceRequest,
    problem: Problem,
) -> LocalBoxFuture<'static, Result<ServiceResponse, Error>> {
    let response = request.error_response(problem);
    Box::pin(ready(Ok(response)))
}

/// The handlers of one path.
#[derive(Default)]
struct Resource {
    handlers: Vec<RouteMethod>,
}

/// One method of a resource.
struct RouteMethod {
    method: Method,
    scope: Option<KeyScope>,
    handler: Rc<RouteService>,
}

impl Resource {
    fn handling(&self, method: &Method) -> Option<&RouteMethod> {
        let mut handlers = self.handlers.iter();
        handlers.find(|handling| handling.method == *method)
    }

    /// Returns the value of `Allow`, such as `GET, PUT, HEAD`. `HEAD` is answered like `GET`.
    fn allowed(&self) -> String {
        let mut methods: Vec<&str> = METHODS.into_iter().filter(|name| self.has(name)).collect();
        if self.has("GET") {
            methods.push("HEAD");
        }
        methods.join(", ")
    }

    fn has(&self, method: &str) -> bool {
        let mut handlers = self.handlers.iter();
        handlers.any(|handling| handling.method == method)
    }
}

/// The methods in the order in which `Allow` lists them.
const METHODS: [&str; 4] = ["GET", "PUT", "POST", "DELETE"];
