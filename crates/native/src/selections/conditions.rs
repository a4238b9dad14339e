//! Conditions on selections as machine code reads them. Code evaluates the values that conditions compare, and what each
//! member adds to each measure.

use std::convert::Infallible;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::memory::buffers::{LISTS_MAX, MEMBERS_MAX};
use crate::selections::questions::{LEFT, SelectionQuestion};
use crate::translator::cycle::value_of;
use crate::translator::emit::{Translator, offset};
use crate::translator::inlining::DEPTH_MAX;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::selections::{
    Composing, DependentTemps, FOLLOWED, MeasureKind, SelectionDependence, SelectionTerms, Term,
};
use wyrmgate_program::{Expr, ExprId, ExtremeKey, QueryId, SetId, Temp};

/// The maximum work of the interpreter for an expression about one member alone, apart from its parts.
const ALONE: i64 = 4;

/// Conditions that are being read.
struct ConditionTranslator<'r, 't> {
    t: &'r mut Translator<'t>,
    scope: DependentTemps,
    /// The terms of names.
    lets: Vec<(Temp, Term)>,
    form: SelectionTerms,
    known: Vec<Value>,
    /// The members, from the first to the end, and their number.
    members: (Value, Value),
    count: Value,
    /// The address at which their contributions are stored.
    gains: Value,
    depth: u32,
}

impl Translator<'_> {
    /// Reads the conditions of a question, and stores what each member adds at the address `gains`. Returns their form and
    /// the values that they compare.
    pub(super) fn read_conditions(
        &mut self,
        asked: &SelectionQuestion<'_>,
        gains: Value,
    ) -> (SelectionTerms, Vec<Value>) {
        let mut reader = ConditionTranslator {
            t: self,
            scope: DependentTemps::of(asked.temp),
            lets: Vec::new(),
            form: SelectionTerms::default(),
            known: Vec::new(),
            members: asked.members,
            count: asked.count,
            gains,
            depth: 0,
        };
        for (number, test) in asked.tests.iter().enumerate() {
            let Ok(term) = reader.term(*test);
            reader.form.require(number, term);
        }
        (reader.form, reader.known)
    }
}

impl Composing for ConditionTranslator<'_, '_> {
    type Failure = Infallible;

    fn term(&mut self, id: ExprId) -> Result<Term, Infallible> {
        if self.depth == FOLLOWED {
            return Ok(Term::Unknown);
        }
        self.depth += 1;
        let reading = self.scope.read(self.t.program, id);
        let term = match self.composed(reading)? {
            Some(term) => term,
            None => self.evaluated(id, reading),
        };
        self.depth -= 1;
        Ok(term)
    }

    /// Values are known only when the code runs.
    fn is(&self, _: &Term, _: bool) -> bool {
        false
    }

    fn name(&self, temp: Temp) -> Option<&Term> {
        let mut lets = self.lets.iter().rev();
        lets.find(|(known, _)| *known == temp).map(|(_, term)| term)
    }
}

impl ConditionTranslator<'_, '_> {
    /// Emits what a part evaluates.
    fn evaluated(&mut self, id: ExprId, reading: SelectionDependence) -> Term {
        match reading {
            SelectionDependence::Known => match self.t.value(id) {
                ScalarValue::Known(value) => Term::Constant(value.into()),
                value => {
                    let value = self.t.word(value);
                    self.known.push(value);
                    self.form.value()
                }
            },
            SelectionDependence::Total => {
                self.gain(|t, scope| t.alone(scope, id));
                self.form.measure(MeasureKind::Sum)
            }
            SelectionDependence::Truth(wanted) => {
                self.gain(|t, scope| t.alone(scope, id));
                self.form.truth(wanted)
            }
            SelectionDependence::Extreme { of, most }
                if self.scope.is_whole(self.t.program, of) =>
            {
                self.gain(|t, scope| t.alone(scope, id));
                self.form.measure(MeasureKind::Extreme { most })
            }
            SelectionDependence::Kinds {
                of,
                temp,
                key,
                kinds,
            } if self.scope.is_whole(self.t.program, of) => {
                self.gain(|t, scope| t.of_one(scope, temp, key));
                self.form.measure(MeasureKind::Kinds(kinds))
            }
            SelectionDependence::Query {
                query,
                args,
                list,
                body,
            } => self.in_query(query, args, list, body),
            SelectionDependence::Let { value, temp, body } => self.in_let(temp, value, body),
            SelectionDependence::Named(_)
            | SelectionDependence::Not(_)
            | SelectionDependence::And(..)
            | SelectionDependence::Or(..)
            | SelectionDependence::If(..)
            | SelectionDependence::Negate(_)
            | SelectionDependence::Abs(_)
            | SelectionDependence::Same(_)
            | SelectionDependence::Binary(..)
            | SelectionDependence::Size
            | SelectionDependence::IsEmpty
            | SelectionDependence::Unknown => Term::Unknown,
            SelectionDependence::Extreme { .. } | SelectionDependence::Kinds { .. } => self.left(),
        }
    }

    fn in_query(&mut self, query: QueryId, args: ExprId, list: Temp, body: ExprId) -> Term {
        let info = self.t.program.query(query);
        let Some(info) =
            info.filter(|_| self.t.inlining.depth < DEPTH_MAX && self.t.lists + LEFT <= LISTS_MAX)
        else {
            return self.left();
        };
        let open = self.t.lists;
        let window = self.t.window(info, args, None);
        self.t.inlining.depth += 1;
        let caller = std::mem::replace(&mut self.t.known.temps, window);
        let outside = std::mem::replace(&mut self.scope, DependentTemps::of(list));
        let lets = std::mem::take(&mut self.lets);
        let term = self.read(body);
        (self.scope, self.lets) = (outside, lets);
        self.t.known.temps = caller;
        self.t.inlining.depth -= 1;
        self.t.lists = open;
        term
    }

    fn in_let(&mut self, temp: Temp, value: ExprId, body: ExprId) -> Term {
        let before = self.t.known.temps.clone();
        let term = match self.scope.read(self.t.program, value) {
            SelectionDependence::Known => {
                let value = self.t.value(value);
                self.t.set_temp(temp, value);
                self.read(body)
            }
            _ => {
                let value = self.read(value);
                self.scope.note(temp);
                self.lets.push((temp, value));
                let term = self.read(body);
                self.lets.pop();
                self.scope.forget();
                term
            }
        };
        self.t.known.temps = before;
        term
    }

    /// A part that only the interpreter follows.
    fn left(&mut self) -> Term {
        self.form.knows_less = true;
        Term::Unknown
    }

    fn read(&mut self, id: ExprId) -> Term {
        let Ok(term) = self.term(id);
        term
    }

    /// Stores the contribution of each member to the next measure.
    fn gain(&mut self, mut gain: impl FnMut(&mut Translator<'_>, &DependentTemps) -> Value) {
        let measure = self.form.measures.len() as i64;
        let end = self.t.b.ins().imul_imm_s(self.count, measure + 1);
        let full = self.t.is(IntCC::SignedGreaterThan, end, MEMBERS_MAX as i64);
        self.t.refuse(full);
        let begin = self.t.b.ins().imul_imm_s(self.count, measure);
        let begin = self.t.place(self.gains, begin);
        let (first, end) = self.members;
        let scope = self.scope.clone();
        let before = self.t.known.temps.clone();
        let word = i64::from(offset(1));
        self.t.cycle(
            &[first, begin],
            &[],
            |t, control| {
                t.b.ins()
                    .icmp(IntCC::UnsignedLessThan, value_of(control), end)
            },
            |t, control| {
                let next = control.iter().map(|at| t.b.ins().iadd_imm_s(*at, word));
                (value_of(control), next.collect())
            },
            &mut |t, at, _| {
                let next = t.b.ins().iadd_imm_s(at, word);
                t.set_temp(scope.list(), ScalarValue::List(at, next));
                let gain = gain(t, &scope);
                let to = t.b.ins().isub(at, first);
                let to = t.b.ins().iadd(begin, to);
                t.store(gain, to, 0);
                t.counts.work += ALONE;
                (Vec::new(), None)
            },
        );
        self.t.known.temps = before;
    }
}

impl Translator<'_> {
    /// Emits an expression for the one member that the list of the scope has now.
    fn alone(&mut self, scope: &DependentTemps, id: ExprId) -> Value {
        let program = self.program;
        let is_whole = |of: SetId| scope.is_whole(program, of);
        match program.exprs.get(id as usize) {
            Some(
                &(Expr::Sum { of, temp, key } | Expr::Extreme(ExtremeKey { of, temp, key, .. })),
            ) if is_whole(of) => self.of_one(scope, temp, key),
            Some(Expr::Some(test) | Expr::Every(test)) if is_whole(test.of) => {
                self.of_one(scope, test.temp, test.condition)
            }
            Some(&Expr::Contains(of, wanted)) if is_whole(of) => {
                let member = self.only_member(scope);
                let wanted = self.word_of(wanted);
                let same = self.b.ins().icmp(IntCC::Equal, member, wanted);
                self.b.ins().uextend(types::I32, same)
            }
            _ => self.word_of(id),
        }
    }

    /// Emits a key of the only member.
    fn of_one(&mut self, scope: &DependentTemps, temp: Temp, key: ExprId) -> Value {
        let member = self.only_member(scope);
        self.set_temp(temp, ScalarValue::Word(member));
        self.word_of(key)
    }

    fn only_member(&mut self, scope: &DependentTemps) -> Value {
        match self.temp(scope.list()) {
            Some(ScalarValue::List(at, _)) => self.load(types::I32, at, 0),
            _ => self.int(0),
        }
    }
}
