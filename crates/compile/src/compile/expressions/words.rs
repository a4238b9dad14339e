//! Texts as values: equality, and letters in lists of words.

use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{self, TextPart};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Translates a text in quotes without holes as its letters.
    pub(crate) fn literal_text(&mut self, text: &ast::Text) -> Option<Value> {
        let [TextPart::Literal(words)] = text.parts.as_slice() else {
            return None;
        };
        let table = self.b.table(words.chars().map(|c| c as i32).collect());
        Some(Value::List(
            self.b.set(Set::Table(table)),
            Some(Type::Letter),
        ))
    }

    /// Returns whether two texts are equal, letter by letter, or a text is the name of a value; `None` if neither side is a text.
    pub(crate) fn texts_equal(&mut self, left: Value, right: Value) -> Option<ExprId> {
        let is_text = |value: Value| matches!(value, Value::List(_, Some(Type::Letter)));
        if !is_text(left) && !is_text(right) {
            return None;
        }
        let (one, other) = (self.text_in(left)?, self.text_in(right)?);
        Some(self.same_letters(one, other))
    }

    /// Returns whether a text is the name of a member of a list; `None` if the member is no text.
    pub(crate) fn text_among(
        &mut self,
        member: Value,
        list: SetId,
        of: Option<Type>,
    ) -> Option<ExprId> {
        let (Value::List(text, Some(Type::Letter)), Some(Type::Enum(_))) = (member, of) else {
            return None;
        };
        let temp = self.scope.temp(Ty::one(of));
        let value = self.b.temp(temp);
        let name = self.text_in(Value::One(value, of))?;
        let condition = self.same_letters(text, name);
        Some(self.b.expr(Expr::Some(MemberTest {
            of: list,
            temp,
            condition,
        })))
    }

    fn text_in(&mut self, value: Value) -> Option<SetId> {
        match value {
            Value::List(letters, Some(Type::Letter) | None) => Some(letters),
            Value::One(value, Some(Type::Enum(id))) => {
                let names = self.world.enums.get(usize::from(id))?.values.clone();
                let words = self.b.words(names.iter().map(String::as_str));
                Some(self.b.set(Set::Keyed(KeyedList {
                    starts: words.starts,
                    members: words.letters,
                    low: 0,
                    value,
                    repeats: true,
                })))
            }
            Value::One(..) | Value::List(..) | Value::Record(..) => None,
        }
    }

    fn same_letters(&mut self, one: SetId, other: SetId) -> ExprId {
        let [length, length_of_other] = [one, other].map(|text| self.b.expr(Expr::Count(text)));
        let as_long = self.b.binary(Binary::Equal, length, length_of_other);
        let temp = self.scope.temp(Ty::INT);
        let (first, place) = (self.b.constant(1), self.b.temp(temp));
        let places = self.b.set(Set::Range(first, length));
        let [letter, letter_of_other] =
            [one, other].map(|text| self.b.expr(Expr::Nth(text, place, NONE)));
        let condition = self.b.binary(Binary::Equal, letter, letter_of_other);
        let same = self.b.expr(Expr::Every(MemberTest {
            of: places,
            temp,
            condition,
        }));
        self.b.and(as_long, same)
    }

    /// Translates `t in english` and `begins_word(t, english)`; `None` if the second is no list of words.
    pub(crate) fn spelled(
        &mut self,
        text: &ast::Expr,
        words: &ast::Expr,
        begins: bool,
    ) -> Attempt<Value> {
        let name = words.as_name()?;
        let known = self.scope.find(&name.text).is_none();
        let words = self.world.word_list(&name.text).filter(|_| known)?;
        let letters = self.letters_in(text);
        Some(letters.map(|(of, _)| {
            let expr = Expr::Spelled(SpelledWord {
                of,
                starts: words.starts,
                letters: words.letters,
                begins,
            });
            Value::One(self.b.expr(expr), Some(Type::Bool))
        }))
    }

    pub(crate) fn begins(&mut self, text: &ast::Expr, words: &ast::Expr) -> Option<Value> {
        match self.spelled(text, words, true) {
            Some(spelled) => spelled,
            None => self.no_words(words.span),
        }
    }

    fn no_words<T>(&mut self, span: Span) -> Option<T> {
        let message = "this is no list of words";
        let help = "declare one: `data: {english: {words: words.txt}}`";
        self.problem("wrong-type", span, message, help)
    }

    /// Translates `next_letters(keys(rack(p), .sign), english)`.
    pub(crate) fn next_letters(&mut self, said: &ast::Expr, list: &ast::Expr) -> Option<Value> {
        let words = list
            .as_name()
            .and_then(|name| self.world.word_list(&name.text));
        let Some(words) = words else {
            return self.no_words(list.span);
        };
        let (of, named) = self.letters_in(said)?;
        let Some((values, id)) = named else {
            let message = "these are letters of a text";
            let help = "the letters that can follow are values: declare a type with a value for each letter";
            return self.problem("wrong-type", said.span, message, help);
        };
        let WordTables { starts, letters } = words;
        let asked = FollowingLetters {
            of,
            starts,
            letters,
            values,
        };
        let following = self.b.set(Set::Following(asked));
        Some(Value::List(following, Some(Type::Enum(id))))
    }

    /// Translates a text, or a list of values whose names are letters: also returns their type, with a table of letters.
    fn letters_in(&mut self, text: &ast::Expr) -> Option<(SetId, Option<(TableId, EnumId)>)> {
        match self.expr(text, Some(Type::Letter))? {
            Value::List(set, Some(Type::Letter) | None) => Some((set, None)),
            Value::List(set, Some(Type::Enum(id))) => {
                let names = self.world.enums.get(usize::from(id))?.values.clone();
                let table = names
                    .iter()
                    .map(|name| name.chars().next().map_or(NONE, |c| c as i32));
                let table = self.b.table(table.collect());
                let temp = self.scope.temp(Ty::one(Type::Enum(id)));
                let index = self.b.temp(temp);
                let key = self.b.expr(Expr::Table(TableLookUp {
                    table,
                    low: 0,
                    index,
                    default: NONE,
                }));
                let letters = self.b.set(Set::Keys { of: set, temp, key });
                Some((letters, Some((table, id))))
            }
            other @ (Value::One(..) | Value::List(..) | Value::Record(..)) => {
                let wanted = Ty::list(Type::Letter);
                self.mismatch(text.span, other.ty(), wanted)
            }
        }
    }
}
