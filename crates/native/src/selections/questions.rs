//! Questions about all selections of several members. Code evaluates the values that conditions compare, and the
//! contribution of each member to each measure; a helper finds the selections, and code continues with each of them.

use std::cell::Cell;
use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::driver::context::{LISTS_MAX, MEMBERS_MAX};
use crate::function::cycle::{Made, value_of};
use crate::function::emit::{Scalar, Translator, offset};
use crate::selections::selection_helper as helper;
use crate::values::expr::DEPTH_MAX;
use wyrmgate_engine::selections::{FOLLOWED, Judged, Reading, Scope, Term, Terms, What};
use wyrmgate_program::{Binary, Chosen, Expr, ExprId, QueryId, SetId, Temp};

/// The buffers of a question: the members, what they add, and the selection.
pub(crate) const BUFFERS: usize = 3;

/// The number of buffers that must be left for what is inside.
pub(crate) const LEFT: usize = 4;

/// The maximum work of the interpreter for an expression about one member alone, apart from its parts.
const ALONE: i64 = 4;

/// How the selections of a question are found.
#[derive(Clone, Copy)]
enum Found {
    BySearch,
    AsPairs,
}

/// A question about selections.
pub(crate) struct Asked<'a> {
    /// The temps of the selection: this one and the next.
    pub temp: Temp,
    pub tests: &'a [ExprId],
    /// Each stands there as often as it can be chosen, side by side.
    pub members: (Value, Value),
    pub count: Value,
    pub least: Value,
    pub most: Value,
    /// Whether a member can be chosen more than once.
    pub repeats: bool,
    /// Whether a helper has found out which members are alike.
    pub alike: bool,
    /// Whether nothing but their number is asked for, if conditions can be judged without evaluating them.
    pub counts: bool,
}

/// What is emitted for a selection, of which there are the address of its members, their number, and what was made before.
type OfFound<'b, T> = &'b mut dyn FnMut(&mut T, (Value, Value), &[Value]) -> Made;

/// Conditions that are being read.
struct Reader {
    scope: Scope,
    lets: Vec<(Temp, Term)>,
    form: Terms,
    known: Vec<Value>,
    /// The members, from the first to the end, and their number.
    members: (Value, Value),
    count: Value,
    /// The address at which their contributions are stored.
    gains: Value,
    depth: u32,
}

impl Translator<'_> {
    /// Emits an answer about selections; `None` if nothing was emitted.
    pub fn selections(
        &mut self,
        what: Chosen,
        (of, least, most): (SetId, ExprId, ExprId),
        temp: Temp,
        (condition, key): (ExprId, ExprId),
    ) -> Option<Scalar> {
        if !self.can_walk(of) || self.lists + BUFFERS + LEFT > LISTS_MAX {
            return None;
        }
        let open = self.lists;
        let number = self.open_buffer();
        let count = self.gather_list(of, number);
        let members = self.ends_of(number, count);
        let pairs = self.asks_for_pairs(least, most);
        let (least, most) = (self.word_of(least), self.word_of(most));
        let (one, both) = ([condition], [condition, key]);
        let tests: &[ExprId] = match what {
            Chosen::Any => &both,
            Chosen::Count | Chosen::Sum | Chosen::Max | Chosen::Min | Chosen::All => &one,
        };
        let asked = Asked {
            temp,
            tests,
            members,
            count,
            least,
            most,
            repeats: false,
            alike: false,
            counts: what == Chosen::Count,
        };
        let answer = match pairs {
            true => self.of_pairs(&asked, what, key),
            false => self.of_searched(&asked, what, key),
        };
        self.lists = open;
        Some(answer)
    }

    /// Emits an answer about pairs: without a search if there are few members.
    fn of_pairs(&mut self, asked: &Asked<'_>, what: Chosen, key: ExprId) -> Scalar {
        let is_truth = matches!(what, Chosen::Any | Chosen::All);
        let after = self.b.create_block();
        let of = if is_truth { types::I8 } else { types::I32 };
        let answer = self.b.append_block_param(after, of);
        let value = |t: &mut Self, answer: Scalar| match is_truth {
            true => t.flag(answer),
            false => t.word(answer),
        };
        let few = self.are_few(asked.count);
        self.count();
        self.two_ways(
            few,
            after,
            |t| {
                let before = t.temps.clone();
                let answer = t.of_each_selection(asked, (what, key), Found::AsPairs);
                t.temps = before;
                value(t, answer)
            },
            |t| {
                let answer = t.of_searched(asked, what, key);
                value(t, answer)
            },
        );
        match is_truth {
            true => Scalar::Flag(answer),
            false => Scalar::Word(answer),
        }
    }

    /// Emits an answer about selections for which a helper searches.
    fn of_searched(&mut self, asked: &Asked<'_>, what: Chosen, key: ExprId) -> Scalar {
        let before = self.temps.clone();
        let is_judged = self.begin_selections(asked) == Judged::All;
        let answer = match what {
            Chosen::Count if is_judged => self.count_selections(asked),
            _ => {
                let answer = self.of_each_selection(asked, (what, key), Found::BySearch);
                self.call_helper(helper::end as *const u8, &[], None);
                answer
            }
        };
        self.temps = before;
        answer
    }

    fn of_each_selection(
        &mut self,
        asked: &Asked<'_>,
        (what, key): (Chosen, ExprId),
        found: Found,
    ) -> Scalar {
        let (no, none) = (self.b.ins().iconst(types::I8, 0), self.int(0));
        match what {
            Chosen::Any => {
                let made = self.each_selection((asked, found), &[no], &mut |t, _| {
                    let enough = t.b.ins().iconst(types::I8, 1);
                    (vec![enough], Some(enough))
                });
                Scalar::Flag(value_of(&made))
            }
            Chosen::All => {
                let made = self.each_selection((asked, found), &[no], &mut |t, _| {
                    let holds = t.truth(key);
                    let fails = t.opposite(holds);
                    (vec![fails], Some(fails))
                });
                let fails = value_of(&made);
                Scalar::Flag(self.opposite(fails))
            }
            Chosen::Sum | Chosen::Count => {
                let made = self.each_selection((asked, found), &[none], &mut |t, made| {
                    let value = t.word_of(key);
                    let (sum, over) = t.b.ins().sadd_overflow(value_of(made), value);
                    t.refuse(over);
                    (vec![sum], None)
                });
                Scalar::Word(value_of(&made))
            }
            Chosen::Max | Chosen::Min => {
                let made = self.each_selection((asked, found), &[none, no], &mut |t, made| {
                    let value = t.word_of(key);
                    let further = match what {
                        Chosen::Max => t.b.ins().smax(value_of(made), value),
                        _ => t.b.ins().smin(value_of(made), value),
                    };
                    let any = made.get(1).copied().unwrap_or(further);
                    let extreme = t.b.ins().select(any, further, value);
                    (vec![extreme, t.b.ins().iconst(types::I8, 1)], None)
                });
                Scalar::Word(value_of(&made))
            }
        }
    }

    fn each_selection(
        &mut self,
        (asked, found): (&Asked<'_>, Found),
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Made,
    ) -> Vec<Value> {
        match found {
            Found::AsPairs => self.each_pair(asked, made, body),
            Found::BySearch => self.each_found(asked, made, &mut |t, _, made| body(t, made)),
        }
    }

    /// Goes through the selections that fulfill the conditions, each with the address of its members and their number.
    pub fn each_found(
        &mut self,
        asked: &Asked<'_>,
        made: &[Value],
        body: OfFound<'_, Self>,
    ) -> Vec<Value> {
        let number = self.open_buffer();
        let selection = self.buffer_at(number);
        let (members, count) = (asked.members.0, asked.count);
        // The next selection replaces the one before.
        let found = Cell::new(count);
        self.cycle(
            &[],
            made,
            |t, _| {
                found.set(t.next_selection(members, count, selection));
                t.is(IntCC::SignedGreaterThanOrEqual, found.get(), 0)
            },
            |_, _| (found.get(), Vec::new()),
            &mut |t, found, made| {
                let length = t.b.ins().ushr_imm_u(found, 1);
                let end = t.place(selection, length);
                t.set_temp(asked.temp, Scalar::List(selection, end));
                let sure = t.b.ins().ireduce(types::I8, found);
                let sure = t.b.ins().band_imm_u(sure, 1);
                let holds = t.flag_by(
                    sure,
                    |t| t.b.ins().iconst(types::I8, 1),
                    |t| t.all_true(asked.tests.iter().copied()),
                );
                let holds = t.flag(holds);
                t.work += 1;
                t.where_flag(holds, found, made, &mut |t, _, made| {
                    body(t, (selection, length), made)
                })
            },
        )
    }

    fn next_selection(&mut self, members: Value, count: Value, into: Value) -> Value {
        let arguments = [members, count, into];
        let found = self.call_helper(helper::next as *const u8, &arguments, Some(types::I32));
        let found = found.unwrap_or(count);
        let failed = self.is(IntCC::SignedLessThan, found, helper::NOTHING.into());
        self.refuse(failed);
        found
    }

    /// Counts the selections of a search that has begun.
    fn count_selections(&mut self, asked: &Asked<'_>) -> Scalar {
        let count = self.call_helper(helper::count as *const u8, &[asked.count], Some(types::I32));
        let count = count.unwrap_or(asked.count);
        let failed = self.is(IntCC::SignedLessThan, count, 0);
        self.refuse(failed);
        Scalar::Word(count)
    }

    /// Reads the conditions, and lets a helper begin to look for selections. Returns which conditions can be judged
    /// without evaluating them.
    pub fn begin_selections(&mut self, asked: &Asked<'_>) -> Judged {
        let (gains, known) = (self.open_buffer(), self.open_buffer());
        let (gains, known) = (self.buffer_at(gains), self.buffer_at(known));
        self.set_temp(asked.temp, Scalar::List(asked.members.0, asked.members.1));
        let mut reader = Reader {
            scope: Scope::of(asked.temp),
            lets: Vec::new(),
            form: Terms::default(),
            known: Vec::new(),
            members: asked.members,
            count: asked.count,
            gains,
            depth: 0,
        };
        for (number, test) in asked.tests.iter().enumerate() {
            let term = self.term(&mut reader, *test);
            reader.form.require(number, term);
        }
        for (number, value) in reader.known.iter().enumerate() {
            self.store(*value, known, offset(number));
        }
        let too_many = self.is(
            IntCC::UnsignedGreaterThan,
            asked.count,
            helper::MEMBERS_PLANNED,
        );
        self.refuse(too_many);
        let judged = reader.form.judged();
        self.forms.push(Arc::new(reader.form));
        let form = self.first_form + self.forms.len() as i32 - 1;
        let how = match asked.repeats {
            true => helper::REPEATED,
            false => 0,
        };
        let how = match asked.alike {
            true => how | helper::ALIKE,
            false => how,
        };
        let how = match asked.counts && judged == Judged::All {
            true => how | helper::COUNTED,
            false => how,
        };
        let [number, how] = [form, how as i32].map(|number| self.int(number));
        let Asked {
            count, least, most, ..
        } = *asked;
        let arguments = [number, known, gains, count, least, most, how];
        let begun = self.call_helper(helper::begin as *const u8, &arguments, Some(types::I32));
        let begun = begun.unwrap_or(number);
        let failed = self.is(IntCC::SignedLessThan, begun, 0);
        self.refuse(failed);
        self.close_buffer();
        self.close_buffer();
        judged
    }

    fn boxed(&mut self, reader: &mut Reader, id: ExprId) -> Box<Term> {
        Box::new(self.term(reader, id))
    }

    fn term(&mut self, reader: &mut Reader, id: ExprId) -> Term {
        if reader.depth == FOLLOWED {
            return Term::Unknown;
        }
        reader.depth += 1;
        let reading = reader.scope.read(self.program, id);
        let term = self.as_read(reader, id, reading);
        reader.depth -= 1;
        term
    }

    fn as_read(&mut self, reader: &mut Reader, id: ExprId, reading: Reading) -> Term {
        match reading {
            Reading::Known => match self.value(id) {
                Scalar::Known(value) => Term::Constant(value.into()),
                value => {
                    let value = self.word(value);
                    reader.known.push(value);
                    reader.form.value()
                }
            },
            Reading::Named(temp) => reader.named(temp),
            Reading::Not(of) => Term::Not(self.boxed(reader, of)),
            Reading::Negate(of) => Term::Negate(self.boxed(reader, of)),
            Reading::Abs(of) => Term::Abs(self.boxed(reader, of)),
            Reading::Same(of) => self.term(reader, of),
            Reading::And(left, right) => {
                let left = self.boxed(reader, left);
                Term::And(left, self.boxed(reader, right))
            }
            Reading::Or(left, right) => {
                let left = self.boxed(reader, left);
                Term::Or(left, self.boxed(reader, right))
            }
            Reading::If(condition, then, otherwise) => {
                let condition = self.boxed(reader, condition);
                let then = self.boxed(reader, then);
                Term::If(condition, then, self.boxed(reader, otherwise))
            }
            Reading::Binary(op, left, right) => {
                let left = self.boxed(reader, left);
                Term::Binary(op, left, self.boxed(reader, right))
            }
            Reading::Size => Term::Size,
            Reading::IsEmpty => {
                let none = Box::new(Term::Constant(0));
                Term::Binary(Binary::Equal, Box::new(Term::Size), none)
            }
            Reading::Total => {
                self.gains(reader, |t, scope| t.alone(scope, id));
                reader.form.measure(What::Sum)
            }
            Reading::Truth(wanted) => {
                self.gains(reader, |t, scope| t.alone(scope, id));
                reader.form.truth(wanted)
            }
            Reading::Extreme { of, most } if reader.scope.is_whole(self.program, of) => {
                self.gains(reader, |t, scope| t.alone(scope, id));
                reader.form.measure(What::Extreme { most })
            }
            Reading::Kinds {
                of,
                temp,
                key,
                kinds,
            } if reader.scope.is_whole(self.program, of) => {
                self.gains(reader, |t, scope| t.of_one(scope, temp, key));
                reader.form.measure(What::Kinds(kinds))
            }
            Reading::Query {
                query,
                args,
                list,
                body,
            } => self.in_query(reader, (query, args), (list, body)),
            Reading::Let { value, temp, body } => self.in_let(reader, (temp, value), body),
            Reading::Extreme { .. } | Reading::Kinds { .. } | Reading::Unknown => Term::Unknown,
        }
    }

    fn in_query(
        &mut self,
        reader: &mut Reader,
        (query, args): (QueryId, ExprId),
        (list, body): (Temp, ExprId),
    ) -> Term {
        let info = self.program.query(query);
        let Some(info) = info.filter(|_| self.depth < DEPTH_MAX && self.lists + LEFT <= LISTS_MAX)
        else {
            return Term::Unknown;
        };
        let open = self.lists;
        let window = self.window(info, args, None);
        self.depth += 1;
        let caller = std::mem::replace(&mut self.temps, window);
        let scope = self.in_new_scope();
        let outside = std::mem::replace(&mut reader.scope, Scope::of(list));
        let lets = std::mem::take(&mut reader.lets);
        let term = self.term(reader, body);
        (reader.scope, reader.lets) = (outside, lets);
        self.scope = scope;
        self.temps = caller;
        self.depth -= 1;
        self.lists = open;
        term
    }

    fn in_let(&mut self, reader: &mut Reader, (temp, value): (Temp, ExprId), body: ExprId) -> Term {
        let before = self.temps.clone();
        let term = match reader.scope.read(self.program, value) {
            Reading::Known => {
                let value = self.value(value);
                self.set_temp(temp, value);
                self.term(reader, body)
            }
            _ => {
                let value = self.term(reader, value);
                reader.scope.note(temp);
                reader.lets.push((temp, value));
                let term = self.term(reader, body);
                reader.lets.pop();
                reader.scope.forget();
                term
            }
        };
        self.temps = before;
        term
    }

    // ---- what each member adds

    /// Stores the contribution of each member to the next measure.
    fn gains(&mut self, reader: &mut Reader, mut gain: impl FnMut(&mut Self, &Scope) -> Value) {
        let measure = reader.form.measures.len() as i64;
        let end = self.b.ins().imul_imm_s(reader.count, measure + 1);
        let full = self.is(IntCC::SignedGreaterThan, end, MEMBERS_MAX as i64);
        self.refuse(full);
        let begin = self.b.ins().imul_imm_s(reader.count, measure);
        let begin = self.place(reader.gains, begin);
        let (first, end) = reader.members;
        let scope = reader.scope.clone();
        let before = self.temps.clone();
        let word = i64::from(offset(1));
        self.cycle(
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
                t.set_temp(scope.list(), Scalar::List(at, next));
                let gain = gain(t, &scope);
                let to = t.b.ins().isub(at, first);
                let to = t.b.ins().iadd(begin, to);
                t.store(gain, to, 0);
                t.work += ALONE;
                (Vec::new(), None)
            },
        );
        self.temps = before;
    }

    /// Emits an expression for the one member that the list of the scope has now.
    fn alone(&mut self, scope: &Scope, id: ExprId) -> Value {
        let program = self.program;
        let is_whole = |of: SetId| scope.is_whole(program, of);
        match program.exprs.get(id as usize) {
            Some(
                &(Expr::Sum { of, temp, key }
                | Expr::Extreme { of, temp, key, .. }
                | Expr::Some {
                    of,
                    temp,
                    condition: key,
                }
                | Expr::Every {
                    of,
                    temp,
                    condition: key,
                }),
            ) if is_whole(of) => self.of_one(scope, temp, key),
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
    fn of_one(&mut self, scope: &Scope, temp: Temp, key: ExprId) -> Value {
        let member = self.only_member(scope);
        self.set_temp(temp, Scalar::Word(member));
        self.word_of(key)
    }

    fn only_member(&mut self, scope: &Scope) -> Value {
        match self.temp(scope.list()) {
            Some(Scalar::List(at, _)) => self.load(types::I32, at, 0),
            _ => self.int(0),
        }
    }
}

impl Reader {
    fn named(&self, temp: Temp) -> Term {
        let mut lets = self.lets.iter().rev();
        let found = lets.find(|(known, _)| *known == temp);
        found.map_or(Term::Unknown, |(_, term)| term.clone())
    }
}
