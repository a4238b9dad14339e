//! Names of a choice whose lists do not depend on earlier names: these lists are evaluated once.

use super::facts::Facts;
use wyrmgate_program::*;

pub fn mark(program: &mut Program) {
    let mut sites = std::mem::take(&mut program.sites);
    for option in sites.iter_mut().flat_map(|site| &mut site.options) {
        let mut before: Vec<Temp> = Vec::new();
        for binder in &mut option.binders {
            // The list of a path depends on the path.
            let alone = binder.path.is_none();
            binder.apart = alone && !before.is_empty() && is_apart(program, binder, &before);
            // A list takes two.
            before.extend([binder.temp, binder.temp.saturating_add(1)]);
        }
    }
    program.sites = sites;
}

fn is_apart(program: &Program, binder: &BinderInfo, before: &[Temp]) -> bool {
    let mut facts = Facts::default();
    facts.of_part(program, Part::Set(binder.domain));
    match binder.mask {
        Some(mask) => facts.of_mask(program, mask),
        None => {
            for filter in &binder.filters {
                facts.of_part(program, Part::Expr(filter.test));
            }
        }
    }
    !facts.looks_aside() && !before.iter().any(|temp| facts.asks(*temp))
}
