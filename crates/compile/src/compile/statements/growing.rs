//! Lists of an effect that change: `let found = []`, and then `found += 3`.
//!
//! Such a list lies on the stack like every list of the frame, with room for [`LENGTH_MAX`] members, so that it never moves.
//! The words behind its last member contain NONE: equal lists are equal states. A list that nothing changes has no room.

use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::compile::terms::place::{Change, ListPlace};
use crate::compile::terms::value::Value;
use crate::names::types::Ty;
use crate::names::walk::Assignment;
use wyrmgate_lang::ast::{Name, SetOp};
use wyrmgate_program::*;

impl Compiler<'_> {
    /// Returns the list with which a name begins that these statements change. A zone stands for what lies in it if its
    /// members change.
    pub(crate) fn list_that_changes(
        &mut self,
        name: &Name,
        value: Value,
        changes: &[Assignment<'_>],
    ) -> Option<(SetId, Option<Type>)> {
        let of_members = |change: &Assignment<'_>| change.of_member || change.op != SetOp::Set;
        match value {
            Value::List(set, of) if !changes.is_empty() && self.record_type(of).is_none() => {
                let of = of.or_else(|| self.type_of_members(name, changes));
                Some((set, of))
            }
            Value::One(_, Some(Type::Zone(_))) if changes.iter().any(of_members) => {
                Some(self.list_of(value))
            }
            Value::One(..) | Value::List(..) | Value::Record(..) => None,
        }
    }

    /// Returns the type of the first members of a list that is empty, if they can be known where it gets its name.
    fn type_of_members(&mut self, name: &Name, changes: &[Assignment<'_>]) -> Option<Type> {
        let first = changes.iter().find(|change| !change.of_member)?;
        let problems = self.report.diagnostics.len();
        let mark = self.scope.mark();
        let unknown = Ty::list(None);
        let own = self.scope.temp(unknown);
        self.scope.bind(&name.text, Binding::Temp(own, unknown));
        let value = self.expr(first.value, None);
        self.scope.reset(mark);
        self.report.diagnostics.truncate(problems);
        self.list_of(value?).1
    }

    /// Emits a list with room for more members, and binds its name.
    pub(crate) fn let_growing(&mut self, name: &Name, set: SetId, of: Option<Type>) -> Option<()> {
        let ty = Ty::list(of);
        let slot = self.scope.local(ty);
        let mark = self.scope.mark();
        let room = self.b.table(vec![NONE; LENGTH_MAX]);
        let (room, none) = (self.b.set(Set::Table(room)), self.b.constant(0));
        self.b.emit(Op::LetList(slot, room));
        self.b.emit(Op::Let(slot + 1, none));
        if of.is_some() {
            self.replace_list(&ListPlace::growing(slot, ty), set);
        }
        self.scope.reset(mark);
        self.scope.bind(&name.text, Binding::Growing(slot, ty));
        Some(())
    }

    /// Gives a list that is the result of an effect room for more members.
    pub(crate) fn give_room(&mut self, name: &Name) -> Option<()> {
        match self.scope.find(&name.text) {
            Some(Binding::Local(slot, ty)) if ty.list => {
                let list = self.b.set(Set::Local(slot));
                self.let_growing(name, list, ty.of)
            }
            _ => Some(()),
        }
    }

    /// `found = …`, `found += …`, `found -= …`. An empty list gets its type from its first members.
    pub(crate) fn set_growing(&mut self, name: &Name, change: Change<'_>) -> Option<()> {
        let Some(Binding::Growing(slot, mut ty)) = self.scope.find(&name.text) else {
            return None;
        };
        if ty.of.is_none() {
            let value = self.expr(change.value, None)?;
            ty.of = self.list_of(value).1;
            self.scope.retype(&name.text, ty);
        }
        self.set_list(&ListPlace::growing(slot, ty), change)
    }
}
