//! `/backup`: a copy of the whole store for the operator, taken while games are being played.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;

use crate::api::request::access::OperatorScope;
use crate::api::request::call::{ApiCall, Handled};
use crate::api::shared::accept::JSON_LINES;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_store::{Items, PortableWriter, StoreError};

/// Download the whole store
///
/// Returns every session and ruleset in the portable format of `wyrmgate store export`, one per line. The last line
/// holds checksums; a file without it is incomplete. A backup contains every secret. It requires a key with the scope
/// `backup`. A server without keys gives it to clients on its own machine only, unless it serves other machines or stands
/// behind a proxy. `wyrmgate store backup FILE` downloads a backup, and `wyrmgate store import FILE` restores it.
#[utoipa::path(
    get, path = "/backup",
    operation_id = "getBackup", tag = "service",
    responses((status = 200, description = "The backup, one item per line", body = String, content_type = "application/jsonl")),
    extensions(("x-codes" = json!(["unauthenticated", "forbidden"])), ("x-bearer" = json!(true))),
)]
pub async fn get(ApiCall { context, .. }: ApiCall) -> Handled {
    let app = context.app();
    let peer = context.request.peer_addr();
    let is_local = peer.is_some_and(|peer| peer.ip().is_loopback());
    if app.keys.is_none() && (app.config.open || app.config.proxies > 0 || !is_local) {
        let why = "a backup contains every secret; start the server with `--keys` and send a key with the scope `backup`";
        return Err(Problem::new(ProblemCode::Forbidden).detail(why));
    }
    context.require(OperatorScope::Backup)?;
    let items = context.service().store().export().await;
    let items = items.map_err(wyrmgate_sessions::Refusal::from)?;
    let mut response = HttpResponse::Ok();
    response.content_type(JSON_LINES);
    response.insert_header((CACHE_CONTROL, "no-store"));
    Ok(response.streaming(lines(items)))
}

/// The part of the store to read next.
enum BackupPart {
    Header,
    Items,
    Over,
}

/// Streams the lines. A store error ends the body before its last line.
fn lines(items: Items) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    let writer = PortableWriter::default();
    unfold(
        (writer, items, BackupPart::Header),
        |(mut writer, mut items, at)| async move {
            let (line, at) = match at {
                BackupPart::Over => return None,
                BackupPart::Header => {
                    (writer.header().map_err(StoreError::from), BackupPart::Items)
                }
                BackupPart::Items => match items.recv().await {
                    Some(item) => (
                        item.and_then(|item| Ok(writer.item(&item)?)),
                        BackupPart::Items,
                    ),
                    None => (writer.end().map_err(StoreError::from), BackupPart::Over),
                },
            };
            let at = if line.is_ok() { at } else { BackupPart::Over };
            let line = line.map(Bytes::from).map_err(|error| {
                tracing::error!(%error, "a backup ended early");
                std::io::Error::other("the store failed")
            });
            Some((line, (writer, items, at)))
        },
    )
}
