//! The OpenAPI document. It is collected from the handlers and completed with everything that they have in common.
//!
//! A handler names the problem codes that do not follow from its form (`x-codes`) and whether it supports entity tags and conditions
//! (`x-tag`, `x-if-match`). The table of resources says which handlers are writes. This module turns both into
//! parameters, headers and responses.

#![expect(
    clippy::indexing_slicing,
    reason = "we build the document: its members are objects, and indexing creates a missing one"
)]

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi;

use crate::api::document::form::DocumentForm;
use crate::api::document::{
    bodies, event_shapes, examples, opening, selecting, stream_shapes, webhooks,
};
use crate::api::response::shape;
use crate::api::shared::code::{CodeRow, ProblemCode};

const DESCRIPTION: &str = "\
A headless game service: one API for every game. You create a session of a game, people, programs and built-in bots take \
its seats, and each seat that owes a decision picks one of the listed choices.

**In five requests**: `POST /v1/sessions` creates a session, `PUT …/seats/1` takes a seat and returns a token, \
`GET …/view?include=actions` returns the game and your choices, `POST …/moves` with the `id` of a choice makes a move, \
and `GET …/events` returns what happened.

- Every body is a JSON object. Unknown members and query parameters are refused. `HEAD` mirrors `GET`.
- Every error is a problem (RFC 9457) with a stable `code`.
- Answers may grow: ignore members, events and words that you do not know. Requests are closed.
- Send credentials in `Authorization: Bearer`, never in a URL. Browsers open streams with a ticket instead.
- `version` grows by one with every public change. Views, actions and events carry it in a strong `ETag`.
- Every write accepts an `Idempotency-Key`. The write takes effect once, however often you send it, and a repeated request \
receives the first response. Without a credential a key identifies nobody, and the repeated response omits secrets.
- Texts are localized: the best match for `Accept-Language` among the game's languages, named in `Content-Language`. \
Names and ids do not depend on the language.
- `fields=version,state.zones` selects members of any JSON answer. Views, actions and moves are also available as compact \
text for language models (`Accept: text/plain`).
- Rate limits apply per client to each kind of request (create, list, move, stream, upload, step); see the header `RateLimit`. \
Only refused moves count, so a legal game is never throttled.
- Seats are numbered from 1. Times are RFC 3339 in UTC.";

/// The operations that change stored data and therefore take an `Idempotency-Key`, as `("POST", "/v1/sessions")`.
pub type Writes<'w> = HashSet<(&'w str, &'w str)>;

/// Builds the document from the descriptions of the handlers.
pub fn document(handlers: &OpenApi, writes: &Writes<'_>, form: DocumentForm) -> Value {
    let mut document = wyrmgate_view::as_json(handlers);
    describe(&mut document, form);
    bodies::complete(&mut document, form);
    let mut problems = Map::new();
    for_each_operation(&mut document, |path, method, operation| {
        let is_write = writes.contains(&(&*method.to_uppercase(), path));
        complete(path, is_write, operation, form, &mut problems);
    });
    document["components"]["responses"] = Value::Object(problems);
    document["webhooks"] = webhooks::describe();
    open_objects(&mut document["components"]["schemas"]);
    let described = document.clone();
    for_each_operation(&mut document, |_, _, operation| {
        let parameter = selecting::parameter(&described, operation, form == DocumentForm::Strict);
        if let (Some(parameter), Some(operation)) = (parameter, operation.as_object_mut()) {
            add_parameter(operation, parameter);
        }
    });
    examples::insert(&mut document);
    if form == DocumentForm::Clients {
        opening::open(&mut document);
    }
    document
}

/// Says of each object whose members are not listed that it can have any: without that, generators give it none.
fn open_objects(schema: &mut Value) {
    if let Value::Object(members) = schema {
        let is_listed = ["properties", "additionalProperties", "allOf", "oneOf"]
            .iter()
            .any(|key| members.contains_key(*key));
        let is_map =
            members.contains_key("additionalProperties") && !members.contains_key("properties");
        let of = members.get("type").cloned().unwrap_or_default();
        if of == "object" && !is_listed {
            members.insert("additionalProperties".into(), json!(true));
        }
        // Some generators cannot read two types of which one has members.
        if of == json!(["object", "null"]) && (is_map || !is_listed) {
            members.retain(|key, _| key == "description" || key == "example");
            let open = json!({"$ref": "#/components/schemas/OpenObject"});
            members.insert("oneOf".into(), json!([open, {"type": "null"}]));
        }
    }
    match schema {
        Value::Object(members) => members.values_mut().for_each(open_objects),
        Value::Array(elements) => elements.iter_mut().for_each(open_objects),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn describe(document: &mut Value, form: DocumentForm) {
    document["info"] = json!({
        "title": "Wyrmgate",
        "description": DESCRIPTION,
        "version": env!("CARGO_PKG_VERSION"),
        "contact": {"name": "The authors of Wyrmgate"},
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    document["servers"] = json!([{"url": "/", "description": "This server"}]);
    document["tags"] = json!([
        {"name": "service", "description": "Health, metrics and documentation of the server"},
        {"name": "games", "description": "Games and their rules"},
        {"name": "sessions", "description": "Waiting, running and finished games"},
        {"name": "seats", "description": "Taking and leaving seats"},
        {"name": "players", "description": "People who are known across sessions, and where they play"},
        {"name": "play", "description": "Views, choices and events"},
        {"name": "webhooks", "description": "Notifications to other servers"},
        {"name": "webhook-messages", "description": "The messages that these servers receive"},
    ]);
    document["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A seat token (`wg_seat_…`), an owner token (`wg_owner_…`) or an invite code (`wg_invite_…`) of the \
                session, an operator key (`wg_key_…`) if the server requires one, or the credential of a player: a guest's token \
                (`wg_player_…`) or a signed token (JWT) of an issuer that the server trusts",
        },
        "acting": {
            "type": "apiKey",
            "in": "header",
            "name": "Act-As",
            "description": "For which player an operator key with the scope `players` acts, as a name of its own (`ada`), and for \
                which seat, if the player has several (`ada;seat=2`), or for the session that it has opened (`ada;host`). Other \
                players say `me;seat=2` or `me;host`",
        },
    });
    describe_schemas(&mut document["components"]["schemas"], form);
    let code = document.pointer_mut("/paths/~1problems~1{code}/get/parameters/0/schema");
    if let Some(code) = code {
        *code = json!({"$ref": "#/components/schemas/ProblemCode"});
    }
    document["components"]["headers"] = common_headers();
}

/// Adds the schemas that no type of a handler describes.
fn describe_schemas(all: &mut Value, form: DocumentForm) {
    all["ProblemCode"] = json!({
        "type": "string",
        "description": "A stable code for programs. `/problems/{code}` explains it.",
        "enum": ProblemCode::ALL.iter().map(|code| code.row().code).collect::<Vec<_>>(),
        "example": "stale-version",
    });
    all["Problem"]["properties"]["code"] = json!({"$ref": "#/components/schemas/ProblemCode"});
    all["OpenObject"] = json!({
        "type": "object", "description": "An object whose members depend on the game.", "additionalProperties": true,
    });
    // Its other members depend on the game.
    all["Component"]["additionalProperties"] = json!(true);
    for (name, schema) in event_shapes::schemas(form) {
        all[name] = schema;
    }
    for (name, schema) in stream_shapes::schemas().as_object().into_iter().flatten() {
        all[name] = schema.clone();
    }
}

/// Returns the headers that operations refer to.
fn common_headers() -> Value {
    json!({
        "RequestId": {
            "description": "Identifies the request in the server log. A client may send its own",
            "schema": {"type": "string", "maxLength": 64},
        },
        "RateLimitPolicy": {
            "description": "The rate limit bucket of the request: a quota of `q` requests in a window of `w` seconds",
            "schema": {"type": "string"}, "example": "\"create\";q=60;w=60",
        },
        "RateLimit": {
            "description": "The state of the bucket: `r` requests remain, and it is full again in `t` seconds",
            "schema": {"type": "string"}, "example": "\"create\";r=59;t=1",
        },
        "ETag": {
            "description": "Identifies this representation of the version for this caller",
            "schema": {"type": "string"},
        },
        "ContentLanguage": {
            "description": "The language of the game's texts in the response",
            "schema": {"type": "string"},
        },
        "Durability": {
            "description": "The failures that the acknowledged change survives",
            "schema": {"type": "string", "enum": ["memory", "local", "fsync", "replicated"]},
        },
        "Replayed": {
            "description": "`true` if this is the stored response to an earlier request with the same key",
            "schema": {"type": "string", "enum": ["true"]},
        },
        "RetryAfter": {
            "description": "Seconds to wait before a retry",
            "schema": {"type": "integer", "minimum": 0},
        },
        "Challenge": {
            "description": "The required authentication scheme",
            "schema": {"type": "string"},
        },
    })
}

fn for_each_operation(document: &mut Value, mut work: impl FnMut(&str, &str, &mut Value)) {
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            work(path, method, operation);
        }
    }
}

fn is_api(path: &str) -> bool {
    path.starts_with("/v1")
}

/// The marks of an operation: what it supports.
struct OperationMarks {
    is_write: bool,
    has_tag: bool,
    has_if_match: bool,
    has_language: bool,
    has_bearer: bool,
}

impl OperationMarks {
    /// Takes the marks of a handler out of its operation.
    fn take(path: &str, is_write: bool, operation: &mut Map<String, Value>) -> OperationMarks {
        OperationMarks {
            is_write,
            has_tag: take_mark(operation, "x-tag"),
            has_if_match: take_mark(operation, "x-if-match"),
            has_language: take_mark(operation, "x-language"),
            has_bearer: take_mark(operation, "x-bearer") || is_api(path),
        }
    }

    /// Returns the headers of requests.
    fn parameters(&self) -> Vec<Value> {
        let key = json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "Makes the write idempotent: a repeated request with the same key receives the first response. \
                Its secrets are included only for the same caller with a credential of its own",
            "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"},
        });
        let if_match = json!({
            "name": "If-Match", "in": "header", "required": false,
            "description": "The `ETag` that the caller has seen. The request is refused if it is no longer current",
            "schema": {"type": "string"},
        });
        let if_none_match = json!({
            "name": "If-None-Match", "in": "header", "required": false,
            "description": "The `ETag` that the caller has. The response is 304 if it is still current",
            "schema": {"type": "string"},
        });
        let language = json!({
            "name": "Accept-Language", "in": "header", "required": false,
            "description": "Preferred languages (RFC 9110). Without a match, texts are in the language of the rules",
            "schema": {"type": "string"}, "example": "es-MX, en;q=0.5",
        });
        let all = [
            (self.is_write, key),
            (self.has_if_match, if_match),
            (self.has_tag, if_none_match),
            (self.has_language, language),
        ];
        let supported = all.into_iter().filter(|(is_supported, _)| *is_supported);
        supported.map(|(_, parameter)| parameter).collect()
    }

    fn add_response_headers(&self, response: &mut Value) {
        add_common_headers(response);
        if self.has_tag {
            add_header(response, "ETag", "ETag");
        }
        if self.has_language {
            add_header(response, "Content-Language", "ContentLanguage");
        }
        if self.is_write {
            add_header(response, "Durability", "Durability");
            add_header(response, "Idempotent-Replayed", "Replayed");
        }
    }
}

/// Completes an operation by its marks and by what all operations have in common.
fn complete(
    path: &str,
    is_write: bool,
    operation: &mut Value,
    form: DocumentForm,
    problems: &mut Map<String, Value>,
) {
    let forms = shape::answers(operation).filter_map(Value::as_object);
    let has_forms = forms.map(Map::len).max() > Some(1);
    let Some(operation) = operation.as_object_mut() else {
        return;
    };
    bodies::never_null(operation);
    let marks = OperationMarks::take(path, is_write, operation);
    let codes = codes(path, operation, is_write, has_forms);
    let security = match marks.has_bearer {
        true => json!([{}, {"token": []}, {"token": [], "acting": []}]),
        false => json!([]),
    };
    operation.insert("security".into(), security);
    for parameter in marks.parameters() {
        add_parameter(operation, parameter);
    }
    let responses = operation.entry("responses").or_insert_with(|| json!({}));
    if marks.has_tag {
        responses["304"] = json!({"description": "Not modified"});
    }
    for (_, response) in responses.as_object_mut().into_iter().flatten() {
        marks.add_response_headers(response);
    }
    for (status, rows) in by_status(&codes) {
        let names: Vec<&str> = rows.iter().map(|row| row.code).collect();
        let name = names.join("_");
        responses[status.to_string()] = json!({"$ref": format!("#/components/responses/{name}")});
        let response = || problem_response(status, &rows, form);
        problems.entry(name).or_insert_with(response);
    }
}

fn take_mark(operation: &mut Map<String, Value>, name: &str) -> bool {
    operation.remove(name).is_some()
}

/// Returns the problem codes of an operation: those that it names, and those that follow from its form. `has_forms`: whether
/// a successful response has several media types.
fn codes(
    path: &str,
    operation: &mut Map<String, Value>,
    is_write: bool,
    has_forms: bool,
) -> Vec<ProblemCode> {
    let named = operation.remove("x-codes").unwrap_or_default();
    let named = named.as_array().into_iter().flatten();
    let named = named.filter_map(|code| ProblemCode::from_text(code.as_str()?));
    let mut codes: Vec<ProblemCode> = named.collect();
    // Every operation refuses unknown input, and can fail.
    codes.extend([ProblemCode::Malformed, ProblemCode::Internal]);
    let is_lenient = take_mark(operation, "x-lenient");
    if has_forms && !is_lenient {
        codes.push(ProblemCode::NotAcceptable);
    }
    codes.push(ProblemCode::RateLimited);
    if is_write {
        codes.extend([
            ProblemCode::IdempotencyInFlight,
            ProblemCode::IdempotencyMismatch,
            ProblemCode::OutcomeUnknown,
        ]);
    }
    if operation.contains_key("requestBody") {
        codes.extend([
            ProblemCode::Timeout,
            ProblemCode::TooLarge,
            ProblemCode::UnsupportedMediaType,
        ]);
    }
    if path.contains('{') {
        codes.push(ProblemCode::NotFound);
    }
    if is_api(path) {
        codes.push(ProblemCode::Unauthenticated); // a credential that cannot be ours
        codes.push(ProblemCode::Forbidden); // acting for somebody else's player
        codes.extend([
            ProblemCode::StoreUnavailable,
            ProblemCode::Draining,
            ProblemCode::Overloaded,
        ]);
    }
    codes.sort_by_key(|code| (code.row().status, code.row().code));
    codes.dedup();
    codes
}

fn by_status(codes: &[ProblemCode]) -> Vec<(u16, Vec<CodeRow>)> {
    let mut grouped: Vec<(u16, Vec<CodeRow>)> = Vec::new();
    for row in codes.iter().map(|code| code.row()) {
        match grouped.last_mut() {
            Some((status, rows)) if *status == row.status => rows.push(row),
            _ => grouped.push((row.status, vec![row])),
        }
    }
    grouped
}

fn problem_response(status: u16, rows: &[CodeRow], form: DocumentForm) -> Value {
    let lines = rows
        .iter()
        .map(|row| format!("`{}`: {}", row.code, row.title));
    let description = lines.collect::<Vec<_>>().join("; ");
    let codes: Vec<&str> = rows.iter().map(|row| row.code).collect();
    let problem = json!({"$ref": "#/components/schemas/Problem"});
    let schema = match form {
        DocumentForm::Clients => problem,
        DocumentForm::Strict => {
            json!({"allOf": [problem], "properties": {"code": {"enum": codes}}})
        }
    };
    let mut response = json!({
        "description": description,
        "content": {"application/problem+json": {"schema": schema}},
    });
    add_common_headers(&mut response);
    if status == 401 {
        add_header(&mut response, "WWW-Authenticate", "Challenge");
    }
    if status == 503 || status == 429 || codes.contains(&"idempotency-in-flight") {
        add_header(&mut response, "Retry-After", "RetryAfter");
    }
    response
}

/// Adds the headers that every response has.
fn add_common_headers(response: &mut Value) {
    add_header(response, "X-Request-Id", "RequestId");
    add_header(response, "RateLimit-Policy", "RateLimitPolicy");
    add_header(response, "RateLimit", "RateLimit");
}

fn add_header(response: &mut Value, name: &str, component: &str) {
    response["headers"][name] = json!({"$ref": format!("#/components/headers/{component}")});
}

fn add_parameter(operation: &mut Map<String, Value>, parameter: Value) {
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    if let Some(parameters) = parameters.as_array_mut() {
        parameters.push(parameter);
    }
}
