//! A request in the form in which handlers receive it.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use futures_util::future::LocalBoxFuture;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::api::request::context::JsonContext;
use crate::api::request::extract::query_of;
use crate::api::shared::problem::{Problem, ProblemCode};

/// What a handler returns.
pub type Handled = Result<HttpResponse, Problem>;

/// A request: who sends it, the parameters in its path, its query and its body. A path whose parameters do not parse is not
/// found. Unknown parameters of a query are refused.
pub struct ApiCall<P = NoParameters, Q = NoParameters, B = NoBody> {
    pub context: JsonContext,
    pub path: P,
    pub query: Q,
    pub body: B,
}

/// A request with a body and without a query.
pub type BodyCall<B, P = NoParameters> = ApiCall<P, NoParameters, B>;

/// The path or the query of requests that take no parameters there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// The body of requests whose body is not read.
pub struct NoBody;

impl FromRequest for NoBody {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(_: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(NoBody))
    }
}

impl<P, Q, B> FromRequest for ApiCall<P, Q, B>
where
    P: DeserializeOwned + 'static,
    Q: DeserializeOwned + 'static,
    B: FromRequest<Error = Problem> + 'static,
    B::Future: 'static,
{
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let body = B::from_request(&request, payload);
        Box::pin(async move {
            let (context, path, query) = head_of(&request).await?;
            let body = body.await?;
            Ok(ApiCall {
                context,
                path,
                query,
                body,
            })
        })
    }
}

async fn head_of<P: DeserializeOwned, Q: DeserializeOwned>(
    request: &HttpRequest,
) -> Result<(JsonContext, P, Q), Problem> {
    let context = JsonContext::of(request).await?;
    let path = request.match_info().load();
    let path = path.map_err(|_| Problem::new(ProblemCode::NotFound))?;
    Ok((context, path, query_of(request)?))
}
