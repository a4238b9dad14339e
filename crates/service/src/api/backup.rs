//! `/backup`: everything in the store, for the operator, while games are played.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_util::Stream;
use futures_util::stream::unfold;

use super::accept::{self, JSON_LINES};
use super::access::Scope;
use super::context::AnyContext;
use super::extract::{Asked, Nothing};
use super::problem::{Code, Problem};
use wyrmgate_store::{Items, PortableWriter};

/// Everything in the store
///
/// Every session and ruleset in the portable form of `wyrmgate store export`, one a line; the last line holds sums, and
/// without it the file is not whole. A backup holds every secret: it needs a key of the scope `backup`, and a server
/// without keys gives none. `wyrmgate store backup FILE` asks for it, and `wyrmgate store import FILE` puts it back.
#[utoipa::path(
    get, path = "/backup",
    operation_id = "getBackup", tag = "service",
    responses((status = 200, description = "The lines", body = String, content_type = "application/jsonl")),
    extensions(("x-codes" = json!(["unauthenticated", "forbidden"])), ("x-bearer" = json!(true))),
)]
pub async fn get(
    context: AnyContext,
    request: HttpRequest,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let AnyContext(context) = context;
    accept::best(&request, &[JSON_LINES])?;
    if context.app().keys.is_none() {
        let why = "a backup holds every secret: start the server with `--keys`, and use one with the scope `backup`";
        return Err(Problem::new(Code::Forbidden).detail(why));
    }
    context.require(Scope::Backup)?;
    let items = context.service().store().export().await;
    let items = items.map_err(crate::session::Refusal::from)?;
    let mut response = HttpResponse::Ok();
    response.content_type(JSON_LINES);
    response.insert_header((CACHE_CONTROL, "no-store"));
    Ok(response.streaming(lines(items)))
}

/// What is read next.
enum At {
    Header,
    Items,
    Over,
}

/// An error of the store breaks the body off before its last line.
fn lines(items: Items) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    let writer = PortableWriter::default();
    unfold(
        (writer, items, At::Header),
        |(mut writer, mut items, at)| async move {
            let (line, at) = match at {
                At::Over => return None,
                At::Header => (Ok(writer.header()), At::Items),
                At::Items => match items.recv().await {
                    Some(Ok(item)) => (Ok(writer.item(&item)), At::Items),
                    Some(Err(error)) => {
                        tracing::error!(%error, "a backup breaks off");
                        (Err(std::io::Error::other("the store failed")), At::Over)
                    }
                    None => (Ok(writer.end()), At::Over),
                },
            };
            Some((line.map(Bytes::from), (writer, items, at)))
        },
    )
}
