//! `each p in S chooses for each a in units(p)`: a seat is asked about one member after the other. The member is the first name
//! of every option. The answers of a seat are lists with a value for each member, and the blocks run when all seats are done.

use super::{Answers, Manner};
use crate::compile::compiler::Compiler;
use crate::compile::scope::Binding;
use crate::compile::terms::value::Value;
use crate::compile::tree::Tree;
use crate::names::types::{Ty, default_of};
use wyrmgate_lang::ast::{Binder, BinderCount, Choose, Expr, ExprKind, Form};
use wyrmgate_program::{
    Expr as Code, ExprId, Local, LocalByIndex, NONE, Op, Set, SiteId, SiteMembers,
};

/// A name that no rules can write: the number of the member that is asked about.
const NUMBER: &str = "number of the member";

/// Returns the member that every option begins with.
pub(super) fn list_of(choose: &Choose) -> Option<&Binder> {
    let first = choose.options.first()?.binders.first()?;
    (first.form == Form::Member).then_some(first)
}

impl Compiler<'_> {
    /// Returns a list of only the member that is asked about; `None` where `for each` was reported.
    pub(crate) fn only_asked(&self, all: &Expr) -> Option<Expr> {
        self.scope.find(NUMBER)?;
        let tree = Tree { span: all.span };
        let number = Box::new(tree.name(NUMBER));
        let member = tree.of(ExprKind::Index(Box::new(all.clone()), number));
        Some(tree.of(ExprKind::List(vec![member])))
    }

    /// Reports `for each` where no several seats answer, where nothing follows, and where a name stands for several.
    pub(super) fn members_fit(&mut self, choose: &Choose, manner: Manner) {
        let Some(member) = list_of(choose) else {
            return;
        };
        let span = member.name.span;
        if manner != Manner::EachMember {
            let help = "write `each p in S chooses for each a in …`; for one seat, write `each a in …:` and `choose` below it";
            let message = "`for each` belongs to a secret choice of several seats";
            self.problem::<()>("for-each", span, message, help);
        } else if choose.options.iter().any(|option| option.body.is_none()) {
            let help = "write a `:` behind it, and what each choice does: the blocks run when all have decided";
            let message = "nothing follows from a choice for each member";
            self.problem::<()>("for-each", span, message, help);
        }
        let names = choose.options.iter().flat_map(|option| &option.binders);
        for name in names.filter(|name| name.count != BinderCount::One) {
            let help = "choose one value for each name, or ask in a decision of its own";
            let message = format!("`{}` stands for several, of each member", name.name.text);
            self.problem::<()>("for-each", name.name.span, message, help);
        }
    }

    /// Translates how many members the deciding seat has.
    pub(super) fn members_of_site(&mut self, choose: &Choose, site: SiteId) -> Option<SiteMembers> {
        let member = list_of(choose)?;
        let tree = Tree {
            span: member.of.span,
        };
        let count = self.number(&tree.call("count", vec![member.of.clone()]))?;
        let at = self.scope.locals_by_seat(Ty::INT);
        let members = SiteMembers { count, at };
        self.bind_member_number(Some(members), site);
        Some(members)
    }

    pub(super) fn bind_member_number(&mut self, members: Option<SiteMembers>, site: SiteId) {
        let asked = self.site_mut(site).map(|site| site.seat_temp);
        if let (Some(members), Some(asked)) = (members, asked) {
            let index = self.b.expr(Code::Temp(asked));
            let (base, default) = (members.at, 0);
            let number = self.b.expr(Code::LocalAt(LocalByIndex {
                base,
                index,
                default,
            }));
            self.scope.bind(NUMBER, Binding::Alias(number, Ty::INT));
        }
    }

    /// Runs the blocks for each member of a seat, in the order of the list.
    pub(super) fn blocks_of_members(
        &mut self,
        choose: &Choose,
        first: Local,
        seat: ExprId,
        all: &[Answers],
    ) {
        let mark = self.scope.mark();
        let options = Ty::list(Ty::INT.of);
        let (list, number) = (self.scope.local(options), self.scope.local(Ty::INT));
        let chosen = self.scope.local(Ty::INT);
        let answers = self.answer_of_seat(first, options, seat);
        self.emit_value(list, answers, options);
        let zero = self.b.constant(0);
        self.b.emit(Op::Let(number, zero));
        self.each_number(list, number, chosen, |c| {
            let (of, number) = (c.b.local(chosen), c.b.local(number));
            let of = Value::One(of, Ty::INT.of);
            c.blocks_of_options(choose, of, all, &|c, slot, ty| {
                let index = seat;
                let list = c.b.set(Set::LocalAt { base: slot, index });
                let default = ty.of.map_or(NONE, default_of);
                Value::One(c.b.expr(Code::Nth(list, number, default)), ty.of)
            });
        });
        self.scope.reset(mark);
    }
}
