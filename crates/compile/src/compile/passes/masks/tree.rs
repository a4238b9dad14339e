//! Expressions as trees: their parts, and structural equality.

use wyrmgate_program::*;

pub fn get(program: &Program, id: ExprId) -> Expr {
    let expr = program.exprs.get(id as usize).copied();
    expr.unwrap_or(Expr::Const(NONE))
}

pub fn get_set(program: &Program, id: SetId) -> Set {
    program.sets.get(id as usize).copied().unwrap_or(Set::Empty)
}

pub fn add(program: &mut Program, expr: Expr) -> ExprId {
    program.exprs.push(expr);
    program.exprs.len() as ExprId - 1
}

pub fn add_set(program: &mut Program, set: Set) -> SetId {
    program.sets.push(set);
    program.sets.len() as SetId - 1
}

/// Returns whether it depends on this temp.
pub fn depends(program: &Program, id: ExprId, temp: Temp) -> bool {
    part_depends(program, Part::Expr(id), temp)
}

pub fn set_depends(program: &Program, id: SetId, temp: Temp) -> bool {
    part_depends(program, Part::Set(id), temp)
}

fn part_depends(program: &Program, part: Part, temp: Temp) -> bool {
    let is_other =
        |node| node != Node::Expr(Expr::Temp(temp)) && node != Node::Set(Set::Temp(temp));
    !program.every_node(part, &mut { is_other })
}

/// Returns an expression, or else the first of its parts, that this accepts. Parts of lists are not looked at.
pub fn find(program: &Program, id: ExprId, is: &dyn Fn(ExprId, Expr) -> bool) -> Option<ExprId> {
    let expr = get(program, id);
    if is(id, expr) {
        return Some(id);
    }
    let in_part = |part| match part {
        Part::Expr(id) => find(program, id, is),
        Part::Set(_) => None,
    };
    expr.parts(program).into_iter().find_map(in_part)
}

/// Returns the number of its expressions and lists, if it is at most `most`.
pub fn weight(program: &Program, id: ExprId, most: usize) -> Option<usize> {
    let mut count = 0;
    let within = program.every_node(Part::Expr(id), &mut |_| {
        count += 1;
        count <= most
    });
    within.then_some(count)
}

/// Returns whether both are structurally equal.
pub fn same(program: &Program, one: ExprId, other: ExprId) -> bool {
    one == other || same_operations(program, get(program, one), get(program, other))
}

fn same_operations<T: Operation>(program: &Program, one: T, other: T) -> bool {
    if std::mem::discriminant(&one) != std::mem::discriminant(&other) {
        return false;
    }
    let (of_one, of_other) = (one.parts(program), other.parts(program));
    let blank = |parts: &[Part]| parts.iter().map(|part| part.blank()).collect::<Vec<_>>();
    one.with_parts(&blank(&of_one)) == other.with_parts(&blank(&of_other))
        && of_one.len() == of_other.len()
        && of_one.iter().zip(&of_other).all(|pair| match pair {
            (Part::Expr(one), Part::Expr(other)) => same(program, *one, *other),
            (Part::Set(one), Part::Set(other)) => {
                one == other
                    || same_operations(program, get_set(program, *one), get_set(program, *other))
            }
            (Part::Expr(_), Part::Set(_)) | (Part::Set(_), Part::Expr(_)) => false,
        })
}
