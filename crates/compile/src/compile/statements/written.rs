//! `text t up to 20 letters where t in english`: a text that a seat writes. Its conditions are about the whole text.

use crate::compile::compiler::Compiler;
use crate::compile::expressions::selections::without_conditions;
use crate::compile::scope::Binding;
use crate::compile::statements::choose::Manner;
use crate::names::types::Ty;
use crate::names::walk;
use wyrmgate_lang::ast;
use wyrmgate_program::*;

impl Compiler<'_> {
    pub(crate) fn written(
        &mut self,
        binder: &ast::Binder,
        manner: Manner,
    ) -> Option<(BinderInfo, Ty)> {
        let name = &binder.name.text;
        if manner == Manner::AtRandom {
            let help = "choose a member of a list at random";
            let message = "chance writes no texts";
            return self.problem("wrong-type", binder.name.span, message, help);
        }
        let (_, most) = self.numbers_of(&binder.count);
        let ty = Ty::list(Type::Letter);
        let temp = self.scope.temp(ty);
        self.scope.bind(name, Binding::Temp(temp, ty));
        let (_, filters) = without_conditions(&binder.of);
        let mut together = Vec::new();
        let mut words = None;
        for filter in filters {
            let mut names = walk::names(filter);
            words = words.or(names.find_map(|name| self.world.word_list(&name.text)));
            self.conjuncts(filter, &mut together);
        }
        let words = words.or_else(|| self.world.some_words());
        let local = self.slot_of_answer(manner, ty);
        let nothing = self.b.set(Set::Empty);
        let info = BinderInfo {
            together,
            count: BinderSize::Text { most, words },
            ..BinderInfo::of_one(name, Type::Letter, nothing, temp, local)
        };
        Some((info, ty))
    }
}
