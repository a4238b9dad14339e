//! The shapes of all events: which members an event of each type has. The OpenAPI document and the schemas of a game read
//! this table; the tests fit every event that the service sends to it.

#![expect(
    clippy::indexing_slicing,
    reason = "we build the schemas: they are objects, and indexing creates a missing member"
)]

use serde_json::{Map, Value, json};

use crate::api::document::form::DocumentForm;

/// The type of a member.
#[derive(Clone, Copy)]
enum Is {
    Number,
    Count,
    Text,
    Seat,
    Seats,
    /// A value of the game: a number, a boolean, a name from the rules or an id; null for no value.
    Value,
    Values,
    Names,
    Face,
    Dice,
    Schema(&'static str),
    OrNull(&'static Is),
}

struct MemberShape {
    name: &'static str,
    is: Is,
    about: &'static str,
    is_optional: bool,
}

/// An event of one type.
pub struct EventShape {
    /// The value of `type`.
    pub of: &'static str,
    about: &'static str,
    members: &'static [MemberShape],
}

const fn has(name: &'static str, is: Is, about: &'static str) -> MemberShape {
    MemberShape {
        name,
        is,
        about,
        is_optional: false,
    }
}

const fn may_have(name: &'static str, is: Is, about: &'static str) -> MemberShape {
    MemberShape {
        is_optional: true,
        ..has(name, is, about)
    }
}

const SEAT: MemberShape = has("seat", Is::Seat, "The seat");
const MAYBE_SEAT: MemberShape = has("seat", Is::OrNull(&Is::Seat), "The seat, or nobody");
const ROUND: MemberShape = has("round", Is::Number, "The round, from 1");
const TURN: MemberShape = has("turn", Is::Number, "The turn, from 1");
const PHASE: MemberShape = has("phase", Is::Value, "The name of the phase");
const VERSION: MemberShape = has("to", Is::Count, "The version that this leads back to");
const FACE: &str = "The side that lies up";
const OPTION: MemberShape = may_have(
    "option",
    Is::Text,
    "The option, if the decision has several",
);
const ARGS: MemberShape = may_have(
    "args",
    Is::Values,
    "The chosen values: a value or a list of values for each name",
);

/// Declares the table of events: the type, its meaning, and its members.
macro_rules! shapes {
    ($($of:literal $about:literal $(: $($member:expr),+)?;)*) => {
        /// Every event, first those of the session.
        pub const SHAPES: &[EventShape] = &[$(EventShape {
            of: $of,
            about: $about,
            members: &[$($($member),+)?],
        }),*];
    };
}

shapes! {
    "session-created" "The session was created.";
    "resumed" "The game goes on from a record or a fork.";
    "seat-taken" "Somebody took a seat.":
        SEAT,
        may_have("name", Is::Text, "The name of the player"),
        may_have("bot", Is::Schema("BotName"), "The bot that took it");
    "seat-left" "Somebody left a seat, or nobody is waited for there any more.": SEAT;
    "seat-renewed" "The token of a seat was replaced.": SEAT;
    "seat-reserved" "A seat waits for one player.": SEAT;
    "player-forgotten" "A player is forgotten: nothing that happened at the seat has its name any more. Without a seat, it was the host.":
        may_have("seat", Is::Seat, "The seat");
    "undo-wished" "A seat asks the others to take moves back.": SEAT, VERSION;
    "undo-refused" "A seat refused an undo.": SEAT;
    "undone" "Moves were taken back.": SEAT, VERSION;
    "rolled-back" "The owner went back to a version.": VERSION;
    "timed-out" "A seat ran out of time.": SEAT;
    "resigned" "A seat gave the game up.": SEAT;
    "draw-offered" "A seat offers a draw.": SEAT;
    "draw-accepted" "A seat agrees to the draw.": SEAT;
    "draw-declined" "A seat declined the draw.": SEAT;
    "draw-withdrawn" "A seat no longer offers a draw.": SEAT;
    "aborted" "A seat, or the owner of the session, called the game off.": may_have("seat", Is::Seat, "The seat");
    "pause-wanted" "A seat asks for a pause, or agrees to one.": SEAT;
    "pause-declined" "A pause was declined or is no longer wanted.": may_have("seat", Is::Seat, "The seat");
    "paused" "The clocks stand still.": may_have("seat", Is::Seat, "The seat");
    "unpaused" "The clocks run again soon.": may_have("seat", Is::Seat, "The seat");
    "claimed" "A seat claimed that the others are absent.": SEAT;
    "rated" "The result counts: the session shows what it did to the ratings.";
    "absence-voted" "A seat wants those replaced who owe a decision.": SEAT;
    "matched" "The player here sits in another session now (`matched_in`); this one is over.";
    "declined" "Whom the session was waiting for declined; it is over.": SEAT;
    "withdrawn" "Nobody waits here any more; the session is over.";
    "expired" "The session has waited for too long; it is over.";
    "token-renewed" "A token of the session was replaced.":
        has("kind", Is::Text, "The kind of the token");
    "forked" "A fork was created before the end: the session is practice from now on.";
    "game-began" "The game began.";
    "round-began" "A round began.": ROUND;
    "round-ended" "A round ended.": ROUND;
    "turn-began" "A turn began.": MAYBE_SEAT, TURN;
    "turn-ended" "A turn ended.": MAYBE_SEAT, TURN;
    "phase-began" "A phase began.": PHASE;
    "phase-ended" "A phase ended.": PHASE;
    "moved" "A component moved. Members that the viewer may not know are null.":
        has("component", Is::OrNull(&Is::Text), "The component"),
        has("from", Is::OrNull(&Is::Text), "The zone it left"),
        has("from_place", Is::OrNull(&Is::Count), "Its position there"),
        has("to", Is::OrNull(&Is::Text), "The zone it entered"),
        has("to_place", Is::OrNull(&Is::Count), "Its position there"),
        may_have("face", Is::Face, FACE),
        may_have("cell", Is::Text, "The cell of a board that grows, as `x,y`"),
        may_have("turned", Is::Number, "Its quarter turns clockwise");
    "shuffled" "A zone was shuffled.":
        has("zone", Is::Text, "The zone"),
        has("count", Is::OrNull(&Is::Count), "How many components it holds"),
        may_have("order", Is::Names, "The new order, in records");
    "rolled" "Dice were rolled.": has("dice", Is::Dice, "The dice and their faces");
    "turned" "A component was turned over.":
        has("component", Is::OrNull(&Is::Text), "The component or its position"),
        has("zone", Is::OrNull(&Is::Text), "Where it is"),
        has("place", Is::OrNull(&Is::Count), "Its position there"),
        has("face", Is::Face, FACE);
    "shown" "Components were shown to some seats.":
        has("components", Is::Names, "The components or their positions"),
        has("to", Is::Seats, "The seats that saw them");
    "scored" "A score changed.":
        MAYBE_SEAT,
        has("by", Is::Number, "The difference"),
        has("total", Is::Number, "The score after it");
    "chose" "A seat made a choice.":
        SEAT,
        may_have("decision", Is::Text, "The `name` of the decision"),
        OPTION,
        ARGS,
        may_have("label", Is::Text, "The choice in words, as far as the viewer may know it"),
        may_have("notation", Is::Text, "The choice in the notation of a game that hides nothing");
    "drawn" "Chance chose. Only records tell.": OPTION, ARGS;
    "said" "The game said something.": has("text", Is::Text, "Text for people");
    "set" "A variable or a field got a value.":
        has("name", Is::Text, "The variable or the field"),
        has("value", Is::Value, "The value"),
        may_have("of", Is::Value, "The key of the variable, if it has keys"),
        may_have("component", Is::OrNull(&Is::Text), "The component of the field");
    "finished" "The game ended.": has("outcome", Is::Schema("Outcome"), "How it ended");
}

impl EventShape {
    /// Returns the name of its schema: `SeatTakenEvent`.
    pub fn name(&self) -> String {
        let words = self.of.split('-').map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            first.to_uppercase() + rest
        });
        words.collect::<String>() + "Event"
    }

    /// Returns its schema. In the strict form it has no other members: tests notice a member that is missing here.
    pub fn schema(&self, form: DocumentForm) -> Value {
        let mut schema = json!({
            "type": "object",
            "description": self.about,
            "required": self.required(),
            "properties": self.properties(),
        });
        if form == DocumentForm::Strict {
            schema["additionalProperties"] = json!(false);
        }
        schema
    }

    pub fn properties(&self) -> Map<String, Value> {
        let of = json!({"type": "string", "enum": [self.of]});
        let members = self.members.iter().map(|member| {
            let mut schema = member.is.schema();
            if let (Value::Object(schema), false) = (&mut schema, has_reference(member.is)) {
                schema.insert("description".into(), json!(member.about));
            }
            (member.name.to_owned(), schema)
        });
        std::iter::once(("type".to_owned(), of))
            .chain(members)
            .collect()
    }

    fn required(&self) -> Vec<&'static str> {
        let members = self.members.iter().filter(|member| !member.is_optional);
        std::iter::once("type")
            .chain(members.map(|member| member.name))
            .collect()
    }
}

const fn has_reference(is: Is) -> bool {
    matches!(is, Is::Schema(_))
}

impl Is {
    fn schema(self) -> Value {
        match self {
            Is::Number => json!({"type": "integer"}),
            Is::Count => json!({"type": "integer", "minimum": 0}),
            Is::Text => json!({"type": "string"}),
            Is::Seat => json!({"type": "integer", "minimum": 1, "maximum": 8}),
            Is::Seats => json!({"type": "array", "items": Is::Seat.schema()}),
            Is::Value => json!({}),
            Is::Values => json!({"type": "object", "additionalProperties": true}),
            Is::Names => json!({"type": "array", "items": {"type": ["string", "null"]}}),
            Is::Face => json!({"type": "string", "enum": ["up", "down"]}),
            Is::Dice => {
                json!({"type": "array", "items": {"$ref": "#/components/schemas/RolledDie"}})
            }
            Is::Schema(name) => json!({"$ref": format!("#/components/schemas/{name}")}),
            Is::OrNull(is) => {
                let mut schema = is.schema();
                let of = schema["type"].take();
                schema["type"] = json!([of, "null"]);
                schema
            }
        }
    }
}

/// Returns the schemas of all events by name: one for each type, and `GameEvent`, which is one of them.
pub fn schemas(form: DocumentForm) -> Map<String, Value> {
    let references = SHAPES.iter().map(|shape| reference(&shape.name()));
    let mapping: Map<String, Value> = SHAPES
        .iter()
        .map(|shape| (shape.of.to_owned(), json!(path(&shape.name()))))
        .collect();
    let any = json!({
        "description": "An event. Newer servers may send other types; ignore those you do not know.",
        "oneOf": references.collect::<Vec<_>>(),
        "discriminator": {"propertyName": "type", "mapping": mapping},
    });
    let die = json!({
        "type": "object",
        "description": "A die that was rolled.",
        "required": ["die", "face"],
        "properties": {
            "die": {"type": ["string", "null"], "description": "The die or its position"},
            "face": {"description": "The face that lies up: a number or a name; null for those who may not know it"},
        },
    });
    let each = SHAPES
        .iter()
        .map(|shape| (shape.name(), shape.schema(form)));
    each.chain([("GameEvent".to_owned(), any), ("RolledDie".to_owned(), die)])
        .collect()
}

fn reference(name: &str) -> Value {
    json!({"$ref": path(name)})
}

fn path(name: &str) -> String {
    format!("#/components/schemas/{name}")
}
