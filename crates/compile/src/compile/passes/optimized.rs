//! Optimized code: the same effects in fewer operations, for play that does not count operations. At each address, it
//! does at least what the plain code does there and continues where that would continue, so a game can be suspended in
//! one and resumed in the other.

use wyrmgate_program::*;

/// Returns the optimized code of a program.
pub fn optimized(program: &Program) -> Vec<Op> {
    let mut code = program.code.ops.clone();
    drop_idle_releases(program, &mut code);
    shorten_jumps(&mut code);
    code
}

fn op(code: &[Op], at: Address) -> Option<Op> {
    code.get(at as usize).copied()
}

fn replace(code: &mut [Op], at: Address, new: Op) {
    if let Some(old) = code.get_mut(at as usize) {
        *old = new;
    }
}

/// Removes the cleanup of loops that put no list on the stack.
fn drop_idle_releases(program: &Program, code: &mut [Op]) {
    for mark in 0..program.code.ops.len() as Address {
        let Some(Op::Mark(height)) = op(&program.code.ops, mark) else {
            continue;
        };
        let releases = releases_of(program, mark, height);
        let Some(last) = releases.last() else {
            continue;
        };
        let body = program.code.ops.get(mark as usize..*last as usize);
        if body.is_none_or(|body| body.iter().any(|op| makes_list(program, *op))) {
            continue;
        }
        for at in releases {
            replace(code, at, Op::Jump(at + 1));
        }
    }
}

/// Finds where the stack is reset to a mark: its slot is reused only for another mark.
fn releases_of(program: &Program, mark: Address, height: Local) -> Vec<Address> {
    let effect_begins = |at: Address| program.effects.iter().any(|effect| effect.entry == at);
    let after = (mark + 1)..program.code.ops.len() as Address;
    let own = after.take_while(|at| {
        op(&program.code.ops, *at) != Some(Op::Mark(height)) && !effect_begins(*at)
    });
    own.filter(|at| op(&program.code.ops, *at) == Some(Op::Release(height)))
        .collect()
}

/// Returns whether an operation leaves a list in the running frame.
fn makes_list(program: &Program, op: Op) -> bool {
    let mut made = op.facts().makes_list;
    op.each_field(&mut |field| {
        if let Field::Site(site) = field {
            let site = program.site(*site);
            let options = site.iter().flat_map(|site| &site.options);
            let mut names = options.flat_map(|option| &option.binders);
            made |= names.any(|name| name.count != BinderSize::One);
        }
    });
    made
}

/// The maximum number of jumps to follow, because they may be cyclic.
const HOPS_MAX: usize = 64;

/// Lets jumps to jumps go directly to the final target.
fn shorten_jumps(code: &mut [Op]) {
    for at in 0..code.len() as Address {
        let Some(mut shorter) = op(code, at) else {
            continue;
        };
        shorter.each_field_mut(&mut |field| {
            if let Field::Address(to) = field {
                *to = end_of_jumps(code, *to);
            }
        });
        replace(code, at, shorter);
    }
}

fn end_of_jumps(code: &[Op], to: Address) -> Address {
    let mut end = to;
    for _ in 0..HOPS_MAX {
        let Some(Op::Jump(further)) = op(code, end) else {
            break;
        };
        end = further;
    }
    end
}
