//! Handlers and modifiers: reactions to effects and changes of values.

use super::PAIRS;
use crate::shape::Shape;
use crate::table_of_keys;

table_of_keys! {
    pub static HANDLER = "a handler";
    "if": Shape::Value, "n < -3", "The handler runs only if this condition holds.";
    "once": Shape::Truth, "true", "The handler does not handle what it does itself.";
    "by": Shape::Value, "p",
        "The seat that decides which of several handlers with `by` applies first.";
    "waits": Shape::Truth, "true",
        "The handler is a trigger: it waits for `resolve`, in turn order of the seats under `by`.";
    "keeps": Shape::Section(&PAIRS), "{from: c.zone}",
        "Values as they were before the event, for `if`, `by` and `do` of an `after` handler.";
    "within": Shape::Text, "played(card c, seat p)",
        "The handler runs only for what happens while this effect runs, and can use its parameters.";
    "name": Shape::Name, "second_wind",
        "The name of the handler in decisions between handlers. Default: that of its kind, or of the event.";
    "do": Shape::Effect, "prevent", "The statements to run.";
}

table_of_keys! {
    pub static MODIFIER = "a modifier";
    "if": Shape::Value, "me.zone is field", "The modifier applies only if this condition holds.";
    "set": Shape::Value, "1",
        "Replaces the value. In it, `value` is the value so far. Of several, the last one counts.";
    "add": Shape::Value, "2", "Is added to the value, after every `set` of the same layer.";
    "layer": Shape::Number, "2", "Modifiers of a lower layer apply first. Default: 1.";
}

table_of_keys! {
    /// `{if: …, then: …, else: …}`
    pub static CONDITIONAL = "a conditional value";
    required "if": Shape::Value, "count(seats) > 3",
        "The condition that selects one of the two values.";
    required "then": Shape::Value, "5", "The value if the condition holds.";
    required "else": Shape::Value, "7", "The value if it does not.";
}
