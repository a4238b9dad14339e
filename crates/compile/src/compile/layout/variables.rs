//! Variables, and the words of the state they take.

use super::{Layout, VAR_WORDS_MAX};
use crate::compile::compiler::VAR_PREVENTED;
use crate::names::declaration::*;
use crate::names::types::{Ty, default_of};
use crate::names::world::*;
use wyrmgate_base::diagnostic::did_you_mean;
use wyrmgate_lang::ast::{Expr, Name, RESIGNED, Signature};
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// Types of lists in other languages.
const LIST_WORDS: [&str; 7] = [
    "list", "array", "vector", "stack", "queue", "sequence", "set",
];
const LISTS: &str =
    "the type of a list is the plural of that of its members: `{type: ints, most: 12}`";

/// The first values of a variable.
enum Start {
    OfAll(i32),
    OfEach(Vec<i32>),
}

impl Layout<'_> {
    pub(super) fn take_words(&mut self, count: usize, start: i32, name: &str) -> u32 {
        // changing fields are variables without a name of their own
        let (program, count) = (&mut self.b.program, count as u32);
        self.world
            .take_words(program, name, Type::Int, count, start)
    }

    /// Declares the variables of every game, which come first, for [`Layout::run`].
    pub fn builtin_variables(&mut self) {
        let seats = self.setup.seats as u32;
        let rows = [
            ("active", Type::Seat, None, 1, NONE),
            ("round", Type::Int, None, 1, 0),
            ("turn", Type::Int, None, 1, 0),
            ("phase", Type::Enum(0), None, 1, NONE),
            ("score", Type::Int, Some(Type::Seat), seats, 0),
        ];
        for (name, of, index, len, start) in rows {
            let id = self.add_var(name, of, index, 0, len, start, Lasts::Game, true);
            self.world.declare_builtin(name, Symbol::Var(id));
        }
        let prevented = self.add_var("prevented", Type::Bool, None, 0, 1, 0, Lasts::Game, true);
        debug_assert_eq!(prevented, VAR_PREVENTED);
        let mut effects = self.def.behavior.effects.iter();
        if effects.any(|effect| effect.signature.is_of_resigning()) {
            let (of, index) = (Type::Bool, Some(Type::Seat));
            let id = self.add_var(RESIGNED, of, index, 0, seats, 0, Lasts::Game, false);
            self.world.declare_builtin(RESIGNED, Symbol::Var(id));
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one row per variable; a struct would say the same twice"
    )]
    fn add_var(
        &mut self,
        name: &str,
        of: Type,
        index: Option<Type>,
        low: i32,
        len: u32,
        start: i32,
        lasts: Lasts,
        internal: bool,
    ) -> VarId {
        let program = &mut self.b.program;
        self.world.take_words(program, name, of, len, start);
        if let Some(info) = program.vars.last_mut() {
            info.title = self.translations.name(name);
            (info.index, info.low) = (index, low);
            info.see = See::All;
            (info.lasts, info.internal) = (lasts, internal);
        }
        if let Some(var) = self.world.vars.last_mut() {
            var.name = name.into();
            (var.index, var.low) = (index, low);
        }
        self.world.vars.len() as VarId - 1
    }

    /// Takes words for results of effects, if an effect has one.
    pub(super) fn results(&mut self) {
        let of_effect = |effect: &EffectDef| match &effect.signature {
            Signature::Call { recursion, .. } => recursion.result.clone(),
            Signature::Phrase(_) => None,
        };
        let results = self.def.behavior.effects.iter().filter_map(of_effect);
        let types: Vec<Option<Ty>> = results
            .map(|result| self.world.type_named(&result.text))
            .collect();
        let is_list = |ty: &Option<Ty>| ty.is_some_and(|ty| ty.list);
        if !types.iter().all(is_list) {
            let words = types.iter().flatten().map(|ty| self.parts_in(*ty));
            let words = words.max().unwrap_or(1);
            self.world.results.word = Some(self.take_words(words, 0, "result"));
        }
        if types.iter().any(is_list) {
            let most = LENGTH_MAX as u32;
            let id = self.world.vars.len() as VarId;
            self.take_words(1, 0, "result_length");
            let members = self.take_words(LENGTH_MAX, 0, "result_members");
            let of = Type::Int;
            self.world.results.list = Some((id, ListDecl { of, most, members }));
        }
    }

    /// Takes a word for each handler that does not handle what it does itself.
    pub(super) fn running(&mut self) {
        for (kind, of) in self.world.behaviors(self.def) {
            let of_kind = kind.map(|kind| self.world.kind(kind));
            let of_kind = of_kind.map(|kind| (kind.first as i32, kind.count));
            let words = of_kind.map_or(1, |(_, count)| count as usize);
            for handler in of.handlers.iter().filter(|handler| handler.is_once()) {
                let offset = self.take_words(words, 0, "running");
                let running = Running { offset, of_kind };
                self.world.running.push((handler.span, running));
            }
        }
    }

    pub(super) fn variables(&mut self) {
        for def in &self.def.vars {
            if self.report.is_full() {
                return;
            }
            self.variable(def);
        }
        if self.b.program.room.var_words > VAR_WORDS_MAX {
            self.limit(
                &self.def.name.clone(),
                "words of variables and changing fields",
                VAR_WORDS_MAX,
            );
        }
    }

    fn variable(&mut self, def: &VarDef) {
        match self.variable_type(def) {
            Some(Type::Record(record)) => self.record_variable(def, record),
            Some(of) => self.typed_variable(def, of),
            None => self.world.declare_failed(&def.name.text),
        }
    }

    /// Declares a variable whose values, or the members of whose lists, have this type.
    pub(super) fn typed_variable(&mut self, def: &VarDef, of: Type) {
        if self.b.program.room.var_words > VAR_WORDS_MAX {
            return self.world.declare_failed(&def.name.text);
        }
        let problems = self.report.diagnostics.len();
        let (index, low, keys) = match &def.each {
            None => (None, 0, vec![0]),
            Some(domain) => {
                let (by, values) = self.domain(domain);
                let low = values.iter().copied().min().unwrap_or(0);
                let keys = values.iter().map(|value| value - low).collect();
                (Some(by), low, keys)
            }
        };
        if self.report.diagnostics.len() > problems {
            return self.world.declare_failed(&def.name.text);
        }
        let len = keys.iter().max().map_or(0, |high| high + 1) as u32;
        if let Some(most) = &def.most {
            return self.list_variable(def, of, most, index, low, len);
        }
        let start = def.start.as_ref();
        let (start, starts) = match start.map(|start| self.starts(start, def, of, &keys)) {
            Some(Start::OfEach(starts)) => (None, starts),
            Some(Start::OfAll(start)) => (Some(start), Vec::new()),
            None => (None, Vec::new()),
        };
        let lasts = self.lasts(def, index);
        let start = start.unwrap_or(default_of(of));
        let Some((rows, names)) = self.rows_of_keys(def, len) else {
            return self.world.declare_failed(&def.name.text);
        };
        let mut first = None;
        for name in names {
            let id = self.add_var(&name, of, index, low, len, start, lasts, false);
            first.get_or_insert(id);
            if let Some(info) = self.b.program.vars.get_mut(usize::from(id)) {
                info.starts = starts.clone();
            }
        }
        self.declare_variable(&def.name, first, rows, None);
    }

    /// Declares a variable that consists of those of the program from `first` on.
    fn declare_variable(
        &mut self,
        name: &Name,
        first: Option<VarId>,
        rows: Vec<RowKey>,
        list: Option<ListDecl>,
    ) {
        let Some(id) = first else {
            return self.world.declare_failed(&name.text);
        };
        if let Some(var) = self.world.vars.get_mut(usize::from(id)) {
            var.name.clone_from(&name.text);
            (var.rows, var.list) = (rows, list);
        }
        self.world.declare(name, Symbol::Var(id), self.report);
    }

    /// Returns the type of the values, or of the members of lists.
    fn variable_type(&mut self, def: &VarDef) -> Option<Type> {
        let known = self.world.type_named(&def.of.text);
        let name = &def.of.text;
        match (known, &def.most) {
            (Some(ty), Some(_)) if ty.list => ty.of,
            (Some(ty), None) if ty.list => {
                let message = format!("`{name}` is a type of lists");
                let one = self.world.type_word(ty.element());
                let help = format!(
                    "for one of them, write `{one}`; for a list, state how many members it has at most: `{{type: {name}, most: 12}}`"
                );
                self.report.error("no-most", def.of.span, message, help);
                None
            }
            (Some(ty), Some(most)) => {
                let message = "`most` is about the members of lists";
                let plural = self.world.type_word(Ty { list: true, ..ty });
                let help = match self.world.type_named(&plural) {
                    Some(ty) if ty.list => {
                        format!("write `type: {plural}` for lists, or remove `most`")
                    }
                    _ => "remove `most`".to_owned(),
                };
                self.report.error("no-most", most.span, message, help);
                None
            }
            _ => self.single_type(&def.of),
        }
    }

    /// `bids: {type: ints, each: seats, most: 12}`
    fn list_variable(
        &mut self,
        def: &VarDef,
        of: Type,
        most: &Expr,
        index: Option<Type>,
        low: i32,
        len: u32,
    ) {
        let problems = self.report.diagnostics.len();
        let (span, number) = (most.span, self.evaluator().number(most, &Vec::new()));
        let words = i64::from(number).saturating_mul(len.into());
        let is_told = self.report.diagnostics.len() > problems;
        if !is_told && (number < 1 || words > VAR_WORDS_MAX as i64) {
            let message = format!("a list cannot have up to {number} members");
            let help = format!(
                "write a number from 1 on; all lists of a game have at most {VAR_WORDS_MAX} members together"
            );
            self.report.error("no-most", span, message, help);
        }
        let start = def.start.as_ref();
        let start = start.map(|start| self.start_of_list(start, of, number));
        if self.report.diagnostics.len() > problems {
            return self.world.declare_failed(&def.name.text);
        }
        let (most, start) = (number as u32, start.unwrap_or_default());
        let (lasts, name) = (self.lasts(def, index), &def.name.text);
        let Some((rows, names)) = self.rows_of_keys(def, len.saturating_mul(most + 1)) else {
            return self.world.declare_failed(name);
        };
        let (length, from) = (start.len() as i32, self.b.program.room.var_words as u32);
        let lists = names.len() as u32 * len;
        let mut first_id = None;
        for (row, name) in (0u32..).zip(&names) {
            let at = from + row * len;
            let id = self.add_var(name, Type::Int, index, low, len, length, lasts, false);
            self.place_at(id, at, VarRole::Lengths { of, most });
            first_id.get_or_insert(id);
            for number in 1..=most {
                let first = start.get(number as usize - 1).copied();
                let first = first.unwrap_or(default_of(of));
                let name = format!("{name}-{number}");
                let member = self.add_var(&name, of, index, low, len, first, lasts, false);
                self.place_at(member, at + number * lists, VarRole::Members);
            }
        }
        let members = from + lists;
        let list = Some(ListDecl { of, most, members });
        self.declare_variable(&def.name, first_id, rows, list);
    }

    /// Sets the place and the role of a variable. The lengths of all lists come first, then the first members of all, and so
    /// on, whatever the order of the variables.
    fn place_at(&mut self, id: VarId, offset: u32, role: VarRole) {
        if let Some(info) = self.b.program.vars.get_mut(usize::from(id)) {
            (info.offset, info.role) = (offset, role);
        }
        if let Some(var) = self.world.vars.get_mut(usize::from(id)) {
            var.offset = offset;
        }
    }

    /// Evaluates `start` of lists: the list with which each of them begins.
    fn start_of_list(&mut self, start: &Expr, of: Type, most: i32) -> Vec<i32> {
        let found = self.evaluator().eval(start, &Vec::new(), Some(of));
        let values: Vec<i32> = match found.ty().list {
            true => found
                .items()
                .iter()
                .map(|value| self.evaluator().single(value.clone(), start.span, of))
                .collect(),
            false => vec![self.evaluator().single(found, start.span, of)],
        };
        if values.len() as i64 > i64::from(most) {
            let message = format!("{} members, but `most` is {most}", values.len());
            let help = "begin with fewer members, or increase `most`";
            self.report.error("no-most", start.span, message, help);
        }
        values
    }

    /// Returns the keys of a variable before the last one, and the name of the variable for each combination of them.
    fn rows_of_keys(&mut self, def: &VarDef, len: u32) -> Option<(Vec<RowKey>, Vec<String>)> {
        let mut rows = Vec::new();
        let mut names = vec![def.name.text.clone()];
        for (_, domain) in &def.rows {
            let (of, values) = self.domain(domain);
            if !matches!(of, Type::Int | Type::Seat | Type::Enum(_) | Type::Bool) {
                let message = "only the last key of a variable can be a component or a zone";
                let help = "change the order of the keys, or give the components a field";
                self.report.error("wrong-type", domain.span, message, help);
                return None;
            }
            let low = values.iter().copied().min().unwrap_or(0);
            let high = values.iter().copied().max().unwrap_or(low - 1);
            let count = (high - low + 1).max(0) as u32;
            rows.push(RowKey { of, low, count });
            let all = (names.len() as u64) * u64::from(count) * u64::from(len.max(1));
            if all > VAR_WORDS_MAX as u64 {
                self.limit(&def.name, "values of a variable", VAR_WORDS_MAX);
                return None;
            }
            let below = names.iter().flat_map(|name| {
                let values = (low..=high).map(|value| self.value_name(value, of));
                values
                    .map(|value| format!("{name}-{value}"))
                    .collect::<Vec<_>>()
            });
            names = below.collect();
        }
        Some((rows, names))
    }

    /// Evaluates `start`: one value, or a list with a value for each key, in their order.
    fn starts(&mut self, start: &Expr, def: &VarDef, of: Type, keys: &[i32]) -> Start {
        let found = self.evaluator().eval(start, &Vec::new(), Some(of));
        if def.each.is_none() || !found.ty().list {
            return Start::OfAll(self.evaluator().single(found, start.span, of));
        }
        let values = found.items();
        if values.len() != keys.len() {
            let message = format!("{} values for {} keys", values.len(), keys.len());
            let help =
                "write one value, or a list with one for each member of `each`, in their order";
            self.report.error("wrong-type", start.span, message, help);
            return Start::OfAll(default_of(of));
        }
        let length = keys.iter().max().map_or(0, |high| high + 1);
        let mut starts = vec![default_of(of); length as usize];
        for (key, value) in keys.iter().zip(values) {
            let value = self.evaluator().single(value.clone(), start.span, of);
            if let Some(place) = starts.get_mut(*key as usize) {
                *place = value;
            }
        }
        Start::OfEach(starts)
    }

    pub(super) fn single_type(&mut self, name: &Name) -> Option<Type> {
        match self.world.type_named(&name.text) {
            Some(ty) if !ty.list => ty.of,
            _ => {
                let help = match self.world.suggest_type(&name.text) {
                    _ if LIST_WORDS.contains(&name.text.as_str()) => LISTS.into(),
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "use int, bool, seat, zone, component, a type, a kind or a zone of this game".into(),
                };
                let message = format!("`{}` is not a type of single values", name.text);
                self.unknown("unknown-type", name, message, help);
                None
            }
        }
    }

    fn lasts(&mut self, def: &VarDef, index: Option<Type>) -> Lasts {
        let Some(Name { text, span }) = &def.lasts else {
            return Lasts::Game;
        };
        let (message, help) = match text.as_str() {
            "game" => return Lasts::Game,
            "round" => return Lasts::Round,
            "turn" => return Lasts::Turn,
            "until_turn" if index == Some(Type::Seat) => return Lasts::UntilTurn,
            "until_turn" => (
                "this variable has no value for each seat, so it lasts until nobody's turn",
                "add `each: seats`".to_owned(),
            ),
            written => {
                let known = ["game", "round", "turn", "until_turn"];
                let meant = did_you_mean(written, known);
                let meant = meant.map(|meant| format!("did you mean `lasts: {meant}`?"));
                let otherwise = || "write `lasts: round` or `lasts: turn`, or remove it".into();
                let message = "`lasts` must be `game`, `round`, `turn` or `until_turn`";
                (message, meant.unwrap_or_else(otherwise))
            }
        };
        self.report
            .error("unknown-span-of-time", *span, message, help);
        Lasts::Game
    }
}
