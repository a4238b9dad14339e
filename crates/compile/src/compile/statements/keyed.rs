//! Numbers and words that are keys: of `choose k in 1..7 where square(k, 6) is free`, each value is a column.

use wyrmgate_program::{
    BinderInfo, Expr, FamilyId, KeyOf, Node, Operation, Part, Program, Set, Temp, Type, VAR_ACTIVE,
    WordByIndex,
};

/// The number of expressions that are looked through for one name.
const MOST: usize = 4_000;

/// Notes for every name of a choice which keys its values are, as the conditions use it.
pub fn find_keys(program: &mut Program) {
    for site in 0..program.sites.len() {
        let options = program.sites.get(site).map(|site| site.options.iter());
        let found: Vec<Vec<Vec<KeyOf>>> = options
            .into_iter()
            .flatten()
            .map(|option| option.binders.iter().map(|b| keys_of(program, b)).collect())
            .collect();
        let options = program.sites.get_mut(site).map(|site| &mut site.options);
        for (option, found) in options.into_iter().flatten().zip(found) {
            for (binder, keys) in option.binders.iter_mut().zip(found) {
                binder.keys = keys;
            }
        }
    }
}

fn keys_of(program: &Program, binder: &BinderInfo) -> Vec<KeyOf> {
    let mut search = KeySearch {
        program,
        found: Vec::new(),
        left: MOST,
    };
    if matches!(binder.of, Type::Int | Type::Enum(_)) {
        search.in_list(Part::Set(binder.domain));
        for condition in &binder.filters {
            search.uses(Part::Expr(condition.test), binder.temp);
        }
    }
    search.found
}

struct KeySearch<'p> {
    program: &'p Program,
    found: Vec<KeyOf>,
    left: usize,
}

impl KeySearch<'_> {
    /// Looks through the conditions on the members of a list.
    fn in_list(&mut self, list: Part) {
        let Some(Node::Set(set)) = self.next(list) else {
            return;
        };
        if let Set::Where(test) = set {
            self.uses(Part::Expr(test.condition), test.temp);
        }
        if let Set::Call { query, .. } = set {
            let query = self.program.queries.get(usize::from(query));
            return query
                .into_iter()
                .for_each(|query| self.in_list(query.body.part()));
        }
        let mut parts = set.parts(self.program).into_iter();
        if let Some(of) = parts.find(|part| matches!(part, Part::Set(_))) {
            self.in_list(of);
        }
    }

    fn next(&mut self, part: Part) -> Option<Node> {
        self.left = self.left.checked_sub(1)?;
        self.program.node(part)
    }

    /// Looks for the keys that the value of a temp is.
    fn uses(&mut self, part: Part, temp: Temp) {
        let Some(node) = self.next(part) else {
            return;
        };
        let parts = node.parts(self.program);
        if let Node::Expr(Expr::ZoneAt { family, .. }) = node {
            self.zone(family, &parts, temp);
        }
        if let Node::Expr(Expr::WordAt(WordByIndex { offset, index, .. })) = node
            && self.is(Part::Expr(index), Expr::Temp(temp))
        {
            let mut vars = (0..).zip(&self.program.vars);
            let var = vars.find(|(_, var)| var.offset == offset && !var.internal);
            self.note(var.map(|(id, _)| KeyOf::Variable(id)));
        }
        if let Node::Expr(Expr::Call { query, .. }) | Node::Set(Set::Call { query, .. }) = node
            && let Some(query) = self.program.queries.get(usize::from(query))
        {
            for (param, arg) in (0..).zip(&parts) {
                if self.is(*arg, Expr::Temp(temp)) {
                    self.uses(query.body.part(), param);
                }
            }
        }
        for part in parts {
            self.uses(part, temp);
        }
    }

    fn is(&self, part: Part, wanted: Expr) -> bool {
        self.program.node(part) == Some(Node::Expr(wanted))
    }

    /// A zone of a seat is meant only if that is the active one.
    fn zone(&mut self, family: FamilyId, given: &[Part], temp: Temp) {
        let Some(info) = self.program.families.get(usize::from(family)) else {
            return;
        };
        let active = self.program.vars.get(usize::from(VAR_ACTIVE));
        let active = active.map_or(0, |var| var.offset);
        let owner = info.keys.iter().position(|key| key.of == Type::Seat);
        let of_active = owner.and_then(|at| given.get(at));
        if of_active.is_some_and(|part| !self.is(*part, Expr::Word(active))) {
            return;
        }
        let key = given
            .iter()
            .position(|part| self.is(*part, Expr::Temp(temp)));
        self.note(key.map(|key| KeyOf::Zones { family, key, owner }));
    }

    fn note(&mut self, key: Option<KeyOf>) {
        let new = key.filter(|key| !self.found.contains(key));
        self.found.extend(new);
    }
}
