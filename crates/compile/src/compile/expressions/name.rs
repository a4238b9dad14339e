//! Resolves a bare word: a local name, a value, or a declaration.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::advice::NAMES_ELSEWHERE;
use crate::compile::expressions::function::function_names;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::names::types::{Families, Ty};
use crate::names::world::Symbol;
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_lang::ast::Name;
use wyrmgate_program::*;

impl Compiler<'_> {
    pub fn name(&mut self, name: &Name, wanted: Option<Type>) -> Option<Value> {
        if let Some(binding) = self.scope.find(&name.text) {
            return match binding == Binding::Parts {
                true => self.record_in_scope(name),
                false => self.bound(binding, name.span),
            };
        }
        if let Some(Type::Enum(id)) = wanted
            && let Some(value) = self.world.enum_value(id, &name.text)
        {
            return Some(Value::One(self.b.constant(value), wanted));
        }
        if let Some(value) = self.builtin_name(&name.text) {
            return Some(value);
        }
        match self.world.symbol(&name.text) {
            Some(symbol) => self.symbol(symbol, name),
            None => self.value_name(name, wanted),
        }
    }

    /// Returns whether a bare word means something here.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        self.scope.find(name).is_some()
            || self.world.symbol(name).is_some()
            || !self.world.enums_with(name).is_empty()
            || self.world.space_named(name).is_some()
    }

    pub(crate) fn bound(&mut self, binding: Binding, span: Span) -> Option<Value> {
        Some(match binding {
            Binding::Temp(temp, ty) if ty.list => Value::List(self.b.set(Set::Temp(temp)), ty.of),
            Binding::Temp(temp, ty) => {
                let value = Value::One(self.b.temp(temp), ty.of);
                self.unpacked(value)
            }
            Binding::Growing(local, ty) => Value::List(self.b.set(Set::Local(local)), ty.of),
            Binding::Local(local, ty) if ty.list => {
                Value::List(self.b.set(Set::Local(local)), ty.of)
            }
            Binding::Local(local, ty) => Value::One(self.b.local(local), ty.of),
            Binding::Alias(expr, ty) => Value::One(expr, ty.of),
            Binding::Failed | Binding::Parts => return None,
            Binding::BySeat(..) => {
                let message = "each seat has an answer of its own here";
                let help = "select one: `c[p]`";
                return self.problem("one-for-each-seat", span, message, help);
            }
        })
    }

    fn builtin_name(&mut self, name: &str) -> Option<Value> {
        let cells = self.b.program.identity.cells;
        if let Some(side) = cells.sides().iter().position(|side| *side == name) {
            return Some(Value::One(self.b.constant(side as i32), Some(Type::Side)));
        }
        match name {
            "seats" => {
                let last = self.world.seats as i32 - 1;
                Some(self.range_of(0, last, Type::Seat))
            }
            "box" => Some(self.value(Expr::Const(BOX as i32), Type::Zone(Some(0)))),
            "origin" => Some(Value::One(self.b.constant(cell(0, 0)), Some(Type::Cell))),
            "sides" => Some(self.range_of(0, cells.count() - 1, Type::Side)),
            _ => None,
        }
    }

    pub fn range_of(&mut self, low: i32, high: i32, of: Type) -> Value {
        let (low, high) = (self.b.constant(low), self.b.constant(high));
        Value::List(self.b.set(Set::Range(low, high)), Some(of))
    }

    fn symbol(&mut self, symbol: Symbol, name: &Name) -> Option<Value> {
        match symbol {
            Symbol::Enum(id) => {
                let count = self
                    .world
                    .enums
                    .get(id as usize)
                    .map_or(0, |e| e.values.len());
                Some(self.range_of(0, count as i32 - 1, Type::Enum(id)))
            }
            Symbol::Plural(kind) => Some(self.all_of(kind)),
            // `each: card` and the like mean all of them.
            Symbol::Kind(kind) if self.is_of_constants() => Some(self.all_of(kind)),
            Symbol::Kind(kind) => self.only_component(kind, name),
            Symbol::Family(id) => self.family(id),
            Symbol::Var(id) => self.variable(id, name),
            Symbol::RecordType(record) => self.record_as_value(record, name),
            Symbol::Records(_) => self.variable_of_records(name),
            Symbol::Constant => self.constant_named(name),
            Symbol::Words(_) => {
                let message = format!("`{}` is a list of words", name.text);
                let help = format!(
                    "ask about a text or a list of letters: `t in {0}`, `begins_word(t, {0})`",
                    name.text
                );
                self.problem("text-as-value", name.span, message, help)
            }
            Symbol::Position(_) => {
                let message = format!("`{}` is a position, not a value", name.text);
                let help = format!(
                    "`recorded({0})` is the number of times that it has been recorded, `record {0}` records it",
                    name.text
                );
                self.problem("position-as-value", name.span, message, help)
            }
            Symbol::Query(index) => self.query_call(index, Vec::new(), &[], name.span),
        }
    }

    /// Returns the component of a kind that has one; NONE if this setup omits it.
    fn only_component(&mut self, kind: KindId, name: &Name) -> Option<Value> {
        let decl = self.world.kind(kind);
        let component = match decl.count {
            0 => NONE,
            1 => decl.first as i32,
            _ if let Some(done) = self.type_of_it(name) => return self.push(done),
            _ => {
                let message = format!("`{}` refers to several components", name.text);
                let help = format!(
                    "`{}` is the list of all; refer to one by its keys: `{}(…)`",
                    self.world.kind_plural(kind),
                    name.text
                );
                return self.problem("kind-as-value", name.span, message, help);
            }
        };
        let component = self.b.constant(component);
        Some(Value::One(component, Some(Type::Component(Some(kind)))))
    }

    fn constant_named(&mut self, name: &Name) -> Option<Value> {
        let constant = self.world.constants.get(&name.text).cloned()?;
        if constant.is_of_lists() && self.is_of_constants() {
            return self.rows(&constant, name.span);
        }
        if constant.is_of_lists() {
            let help = format!(
                "add an index: `{0}[…]`; what follows from all of its lists, such as `count({0})`, is a constant in `data`",
                name.text
            );
            let message = format!("`{}` is a list of lists", name.text);
            return self.problem("list-in-list", name.span, message, help);
        }
        Some(self.constant_value(&constant))
    }

    pub fn all_of(&mut self, kind: KindId) -> Value {
        let first = self.world.kind(kind).first as i32;
        let count = self.world.kind(kind).count as i32;
        self.range_of(first, first + count - 1, Type::Component(Some(kind)))
    }

    fn family(&mut self, id: FamilyId) -> Option<Value> {
        let family = self.world.family(id)?;
        let first = family.first as i32;
        let count = family.count as i32;
        let single = family.keys.is_empty();
        if single {
            let exists = count > 0;
            return Some(self.value(
                Expr::Const(if exists { first } else { NONE }),
                Type::Zone(Some(id)),
            ));
        }
        Some(self.range_of(first, first + count - 1, Type::Zone(Some(id))))
    }

    pub(crate) fn variable(&mut self, id: VarId, name: &Name) -> Option<Value> {
        let var = self.world.var(id)?.clone();
        if let Some(index) = var.index {
            let what = self.world.name_of(Ty::one(index));
            let message = format!("`{}` has one value for {what}", name.text);
            let problem = Diagnostic::error("variable-needs-index", name.span, message);
            let name = &name.text;
            let by = self.index_for(index).unwrap_or_else(|| "…".to_owned());
            let function = if var.of == Type::Bool { "all" } else { "keys" };
            let keys = self.all_of_type(index, var.low, var.len);
            let help = format!(
                "add an index, such as `{name}[{by}]`; about all: `{function}({keys}, {name}[it])`"
            );
            return self.push(problem.help(help));
        }
        if let Some(place) = self.list_place(id, None) {
            return Some(self.stored_list(&place));
        }
        Some(self.value(Expr::Word(var.offset), var.of))
    }

    fn value_name(&mut self, name: &Name, wanted: Option<Type>) -> Option<Value> {
        match self.world.enums_with(&name.text).as_slice() {
            [(id, value)] => Some(Value::One(self.b.constant(*value), Some(Type::Enum(*id)))),
            [] => match self.of_board(&name.text) {
                Some(found) => Some(found),
                None => self.unknown_name(name, wanted),
            },
            several => {
                let enums: Vec<String> = several
                    .iter()
                    .map(|(id, _)| format!("`{}`", self.world.enum_name(*id)))
                    .collect();
                let message = format!("`{}` is a value of {}", name.text, enums.join(" and "));
                let help = "compare it with something of one of these types, or rename one value";
                self.problem("ambiguous-value", name.span, message, help)
            }
        }
    }

    /// `e4`, `orthogonal`: unless the game means something else by it.
    fn of_board(&mut self, name: &str) -> Option<Value> {
        if let Some((family, zone)) = self.world.space_named(name) {
            // With other options, the board may be larger.
            if zone.is_none() && self.def.options.is_empty() {
                return None;
            }
            let zone = self.b.constant(zone.map_or(NONE, i32::from));
            return Some(Value::One(zone, Some(Type::Zone(Some(family)))));
        }
        let mut named = NAMED_DIRECTIONS.iter();
        let (_, directions) = named.find(|(known, _)| *known == name)?;
        let table = self.b.table(directions.to_vec());
        Some(Value::List(self.b.set(Set::Table(table)), Some(Type::Int)))
    }

    pub fn unknown_name<T>(&mut self, name: &Name, wanted: Option<Type>) -> Option<T> {
        if self.world.has_failed(&name.text) {
            return None;
        }
        if let Some(told) = self.untyped_parameter(name) {
            return told.and(None);
        }
        if let Some(number) = NUMBERS.split(' ').position(|word| word == name.text) {
            let message = format!("unknown name `{}`", name.text);
            let problem = Diagnostic::error("unknown-name", name.span, message);
            let problem = problem.help(format!("write the number: `{number}`"));
            return self.push(problem.repair(name.span, number.to_string()));
        }
        if let Some(help) = NAMES_ELSEWHERE.advice(&name.text) {
            let message = format!("unknown name `{}`", name.text);
            return self.unknown("unknown-name", name, message, help);
        }
        if let Some(shown) = self.effect_named(&name.text) {
            let message = format!("`{}` is an effect, not a value", name.text);
            let help = format!("call it on a line of its own: `{shown}`");
            return self.problem("unknown-name", name.span, message, help);
        }
        if let Some(done) = self
            .member_without_dot(name)
            .or_else(|| self.bare_function(name).filter(|_| !self.is_of_constants()))
        {
            return self.push(done);
        }
        let locals = self.scope.names();
        let mut locals: Vec<&str> = locals.iter().map(String::as_str).collect();
        if self
            .b
            .program
            .families
            .iter()
            .any(|family| family.grid.is_some())
        {
            locals.extend(NAMED_DIRECTIONS.iter().map(|(name, _)| *name));
        }
        let help = match self.world.suggest(&name.text, &locals) {
            // The type is no list.
            Some(meant) if self.is_of_constants() && meant == "seat" => {
                "did you mean `seats`?".to_owned()
            }
            _ if self
                .world
                .kinds
                .iter()
                .any(|kind| kind.fields.named(&name.text).is_some()) =>
            {
                format!(
                    "a field stands behind a dot: `x.{}` of a component `x`",
                    name.text
                )
            }
            Some(meant) => match self.world.declared(&meant) {
                Some(Symbol::Kind(kind)) if self.world.kind(kind).count > 1 => {
                    format!("did you mean `{}`?", self.world.kind_plural(kind))
                }
                Some(_) | None => format!("did you mean `{meant}`?"),
            },
            None => self.advice_on_name(&name.text, wanted),
        };
        let message = format!("unknown name `{}`", name.text);
        self.unknown("unknown-name", name, message, help)
    }

    /// `dragons where laps > 3`, for `.laps`
    pub(crate) fn member_without_dot(&self, name: &Name) -> Option<Diagnostic> {
        let has = |ty: Ty| !ty.list && self.members_known(ty).contains(&name.text);
        let of = match self.scope.it().filter(|(_, ty)| has(*ty)) {
            Some(_) => "",
            None => {
                let named = self.scope.bindings().filter(|(of, _)| !of.is_empty());
                let mut named = named.filter(|(_, binding)| binding.ty().is_some_and(has));
                named.next().filter(|_| named.next().is_none())?.0
            }
        };
        let message = format!("unknown name `{}`", name.text);
        let written = format!("{of}.{}", name.text);
        let problem = Diagnostic::error("unknown-name", name.span, message);
        let help = format!("a field of the member begins with a dot: `{written}`");
        Some(problem.help(help).repair(name.span, written))
    }

    /// Finds `if last = 3`.
    fn bare_function(&self, name: &Name) -> Option<Diagnostic> {
        if let Some(done) = self.type_of_it(name) {
            return Some(done);
        }
        function_names().any(|known| known == name.text).then(|| {
            let message = format!("`{}` is a function", name.text);
            let help = format!(
                "write what it applies to, in parentheses: `{}(…)`",
                name.text
            );
            Diagnostic::error("unknown-name", name.span, message).help(help)
        })
    }

    /// Finds `dragons where dragon != d`, `seats where seat != p`: the type in place of the member.
    fn type_of_it(&self, name: &Name) -> Option<Diagnostic> {
        let (_, ty) = self.scope.it()?;
        let what = self.world.name_of(ty.element());
        what.ends_with(&format!(" {}", name.text)).then(|| {
            let message = format!("`{}` is what each member is", name.text);
            let problem = Diagnostic::error("unknown-name", name.span, message);
            let problem = problem.help("the member itself is `it`");
            problem.repair(name.span, "it")
        })
    }

    pub(crate) fn effect_named(&self, name: &str) -> Option<String> {
        let mut ours = self.effects.all.iter();
        let found = ours.find(|e| e.pattern.name() == name)?;
        Some(found.pattern.shown(self.world))
    }
}

/// Numbers in words, from 0.
const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
