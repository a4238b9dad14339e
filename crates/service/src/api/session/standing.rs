//! `/v1/sessions/{id}/standing-orders`: preset answers of a seat.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::extract::Json;
use crate::api::request::numbers::{WHOLE_MAX, make_whole};
use crate::api::request::object;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::SessionPath;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{
    self as session, CONDITIONS_MAX, Call, CommittedChange, ORDERS_MAX, StandingAnswer,
};

const POINTER_LETTERS_MAX: usize = 128;

/// The standing orders of a seat. The first one that applies is used.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"orders": [{"decision": "prevention", "answer": {"option": "decline"}}]}))]
pub struct StandingOrders {
    #[schema(max_items = 16)]
    #[serde(deserialize_with = "object::list")]
    orders: Vec<StandingOrder>,
}

/// A preset answer. Its conditions are evaluated when the decision comes up, with what the seat may see then.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandingOrder {
    /// The `name` of the decision to answer. Any decision if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decision: Option<String>,
    /// An event that must be part of the change that brought the decision, as the seat received it: its `type` and any
    /// of its other members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, additional_properties, example = json!({"type": "moved"}))]
    event: Option<Map<String, Value>>,
    /// Conditions on the seat's view. All of them must hold.
    #[serde(
        default,
        rename = "if",
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "object::list"
    )]
    #[schema(max_items = 8)]
    conditions: Vec<StandingCondition>,
    #[serde(deserialize_with = "object::one")]
    answer: StandingAnswerDoc,
    /// Removes the order once it has been carried out.
    #[serde(default)]
    once: bool,
}

/// A comparison. It is false if the value is hidden or absent.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StandingCondition {
    /// A JSON Pointer into `state` of the seat's view.
    #[schema(example = "/scores/0", max_length = 128)]
    at: String,
    is: Relation,
    /// A number, a string or a Boolean.
    #[schema(value_type = Value)]
    value: Value,
}

/// The relation. All but `=` and `!=` compare numbers.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, ToSchema)]
pub enum Relation {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "!=")]
    NotEqual,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "<=")]
    LessOrEqual,
    #[serde(rename = ">")]
    More,
    #[serde(rename = ">=")]
    MoreOrEqual,
}

/// The answer: `only`, or the first listed choice with this option and these arguments.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(as = StandingAnswer)]
#[serde(deny_unknown_fields)]
pub struct StandingAnswerDoc {
    /// Take the only choice, if there is exactly one, as in forced passes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    only: bool,
    /// `decline`, `no`, `yes`, or an option of the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    option: Option<String>,
    /// The chosen values, by name. Give only those that matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, additional_properties)]
    args: Option<Map<String, Value>>,
}

/// Get your standing orders
///
/// Only the seat itself can see whether it has any.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/standing-orders",
    operation_id = "getStandingOrders", tag = "play", params(SessionPath),
    responses((status = 200, description = "The standing orders", body = StandingOrders)),
    extensions(("x-codes" = json!(["forbidden"])), ("x-tag" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let service = context.service();
    let token = context.token.as_ref();
    let orders = service.standing_orders(&path.session, token).await?;
    let orders = StandingOrders::from(orders);
    let tag = blake3::hash(&respond::bytes(&orders)?).to_hex();
    let tag = format!("\"{}\"", tag.get(..16).unwrap_or_default());
    respond::tagged(&context.request, &tag, || Ok(orders))
}

/// Replace your standing orders
///
/// When a decision comes up to which one of the orders applies, the server answers it like a move by hand: as a
/// separate change, after a delay drawn from the session's `replies`. Until then you can still answer yourself. An
/// order that cannot be carried out has no effect. A new player of the seat starts without orders.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/standing-orders",
    operation_id = "setStandingOrders", tag = "play", params(SessionPath), request_body = StandingOrders,
    responses((status = 200, description = "The new standing orders", body = StandingOrders)),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "session-over", "text-refused"]))),
)]
pub async fn set(call: BodyCall<Json<StandingOrders>, SessionPath>) -> Handled {
    let (context, path, Json(wanted)) = (call.context, call.path, call.body);
    let orders = wanted.orders()?;
    let now = StandingOrders::from(orders.clone());
    let describe = |_: &CommittedChange| StoredResponse::new(StatusCode::OK, None, &now);
    let give = async |call: Call<'_>| context.service().give_orders(call, &orders).await;
    context.change(&path.session, describe, give).await
}

impl StandingOrders {
    fn orders(self) -> Result<Vec<session::PresetAnswer>, Problem> {
        if self.orders.len() > ORDERS_MAX {
            let most = format!("a seat can have at most {ORDERS_MAX} orders");
            return Err(Problem::malformed("/orders", most));
        }
        let orders = self.orders.into_iter().enumerate();
        orders.map(|(at, order)| order.order(at)).collect()
    }

    fn from(orders: Vec<session::PresetAnswer>) -> StandingOrders {
        StandingOrders {
            orders: orders.into_iter().map(StandingOrder::from).collect(),
        }
    }
}

impl StandingOrder {
    fn order(self, at: usize) -> Result<session::PresetAnswer, Problem> {
        let wrong =
            |member: &str, what: &str| Problem::malformed(&format!("/orders/{at}/{member}"), what);
        if self.conditions.len() > CONDITIONS_MAX {
            return Err(wrong("if", "an order can have at most 8 conditions"));
        }
        let event = self.event.map(|mut members| match members.remove("type") {
            Some(Value::String(of)) => Ok(session::EventTest { of, members }),
            _ => Err(wrong("event", "`event` lacks `type`; add it")),
        });
        let is_pointer =
            |at: &str| at.starts_with('/') && at.chars().count() <= POINTER_LETTERS_MAX;
        let conditions = self.conditions.into_iter().map(|mut condition| {
            make_whole(&mut condition.value);
            if !is_pointer(&condition.at) {
                return Err(wrong(
                    "if",
                    "`at` must be a JSON Pointer of at most 128 characters",
                ));
            }
            if !is_comparable(&condition.value) {
                return Err(wrong(
                    "if",
                    "`value` must be an integer, a string or a Boolean",
                ));
            }
            Ok(session::Comparison {
                at: condition.at,
                is: condition.is.into(),
                value: condition.value,
            })
        });
        let answer = match (self.answer.only, self.answer.option, self.answer.args) {
            (true, None, None) => StandingAnswer::Only,
            (true, ..) => {
                return Err(wrong(
                    "answer",
                    "`only` excludes `option` and `args`; send one or the other",
                ));
            }
            (false, None, None) => {
                return Err(wrong(
                    "answer",
                    "the answer is empty; send `only`, or `option` and `args`",
                ));
            }
            (false, option, args) => StandingAnswer::Choice {
                option,
                args: args.unwrap_or_default(),
            },
        };
        Ok(session::PresetAnswer {
            decision: self.decision,
            event: event.transpose()?,
            conditions: conditions.collect::<Result<_, _>>()?,
            answer,
            once: self.once,
        })
    }
}

/// Returns whether a view can contain this value: an integer, a string or a Boolean.
fn is_comparable(value: &Value) -> bool {
    let number = value.as_i64();
    number.is_some_and(|number| number.abs() <= WHOLE_MAX)
        || value.is_string()
        || value.is_boolean()
}

impl From<session::PresetAnswer> for StandingOrder {
    fn from(order: session::PresetAnswer) -> StandingOrder {
        let event = order.event.map(|event| {
            let mut members = Map::from_iter([("type".to_owned(), Value::String(event.of))]);
            members.extend(event.members);
            members
        });
        let conditions = order
            .conditions
            .into_iter()
            .map(|condition| StandingCondition {
                at: condition.at,
                is: condition.is.into(),
                value: condition.value,
            });
        let answer = match order.answer {
            StandingAnswer::Only => StandingAnswerDoc {
                only: true,
                option: None,
                args: None,
            },
            StandingAnswer::Choice { option, args } => StandingAnswerDoc {
                only: false,
                args: (option.is_none() || !args.is_empty()).then_some(args),
                option,
            },
        };
        StandingOrder {
            decision: order.decision,
            event,
            conditions: conditions.collect(),
            answer,
            once: order.once,
        }
    }
}

/// Converts between the relations of the API and those that are stored, whose names differ.
macro_rules! relations {
    ($($name:ident)*) => {
        impl From<Relation> for session::ValueRelation {
            fn from(of: Relation) -> session::ValueRelation {
                match of { $(Relation::$name => session::ValueRelation::$name,)* }
            }
        }
        impl From<session::ValueRelation> for Relation {
            fn from(of: session::ValueRelation) -> Relation {
                match of { $(session::ValueRelation::$name => Relation::$name,)* }
            }
        }
    };
}

relations!(Equal NotEqual Less LessOrEqual More MoreOrEqual);
