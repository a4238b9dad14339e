//! Optimized code: the same effects in fewer operations, for play that does not count operations. At each address, it
//! does at least what the plain code does there and continues where that would continue, so a game can be suspended in
//! one and resumed in the other.

use wyrmgate_program::*;

/// The quick form of the program's code.
pub fn quick(program: &Program) -> Vec<Op> {
    let mut code = program.code.clone();
    drop_idle_releases(program, &mut code);
    shorten_jumps(&mut code);
    join_turns(program, &mut code);
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

/// A loop that puts no list on the stack has nothing to take down.
fn drop_idle_releases(program: &Program, code: &mut [Op]) {
    for mark in 0..program.code.len() as Address {
        let Some(Op::Mark(height)) = op(&program.code, mark) else {
            continue;
        };
        let releases = releases_of(program, mark, height);
        let Some(last) = releases.last() else {
            continue;
        };
        let body = program.code.get(mark as usize..*last as usize);
        if body.is_none_or(|body| body.iter().any(|op| makes_list(program, *op))) {
            continue;
        }
        for at in releases {
            replace(code, at, Op::Jump(at + 1));
        }
    }
}

/// Where the stack is brought back to a mark: its slot is used again only for another mark.
fn releases_of(program: &Program, mark: Address, height: Local) -> Vec<Address> {
    let effect_begins = |at: Address| program.effects.iter().any(|effect| effect.entry == at);
    let after = (mark + 1)..program.code.len() as Address;
    let own = after
        .take_while(|at| op(&program.code, *at) != Some(Op::Mark(height)) && !effect_begins(*at));
    own.filter(|at| op(&program.code, *at) == Some(Op::Release(height)))
        .collect()
}

/// Does it leave a list in the running frame?
fn makes_list(program: &Program, op: Op) -> bool {
    match op {
        Op::LetList(..) => true,
        Op::Choose(site) | Op::ChooseAtRandom(site) | Op::ChooseEach { site, .. } => {
            let site = program.sites.get(usize::from(site));
            let options = site.iter().flat_map(|site| &site.options);
            let mut names = options.flat_map(|option| &option.binders);
            names.any(|name| name.count != BinderSize::One)
        }
        _ => false,
    }
}

/// Jumps are followed only so far: they may go in circles.
const HOPS_MAX: usize = 64;

/// A jump to a jump goes where that one goes.
fn shorten_jumps(code: &mut [Op]) {
    for at in 0..code.len() as Address {
        let shorter = match op(code, at) {
            Some(Op::Jump(to)) => Op::Jump(end_of_jumps(code, to)),
            Some(Op::JumpUnless(condition, to)) => {
                Op::JumpUnless(condition, end_of_jumps(code, to))
            }
            Some(Op::EachNext {
                list,
                index,
                var,
                exit,
            }) => Op::EachNext {
                list,
                index,
                var,
                exit: end_of_jumps(code, exit),
            },
            _ => continue,
        };
        replace(code, at, shorter);
    }
}

fn end_of_jumps(code: &[Op], to: Address) -> Address {
    let mut end = to;
    for _ in 0..HOPS_MAX {
        match op(code, end) {
            Some(Op::Jump(further)) => end = further,
            _ => break,
        }
    }
    end
}

/// One turn ends and the next seat's begins: see [`Op::NextTurn`].
fn join_turns(program: &Program, code: &mut [Op]) {
    for at in 0..code.len() as Address {
        if let Some(joined) = turn_after(program, code, at) {
            replace(code, at, joined);
        }
    }
}

fn turn_after(program: &Program, code: &[Op], at: Address) -> Option<Op> {
    let Op::TurnEnd { before } = op(code, at)? else {
        return None;
    };
    let Op::Let(seat, after) = op(code, at + 1)? else {
        return None;
    };
    let Expr::SeatAfter { seat: now, by: 1 } = *program.exprs.get(after as usize)? else {
        return None;
    };
    let begin = end_of_jumps(code, at + 2);
    let Op::TurnBegin {
        seat: begins,
        before: kept,
    } = op(code, begin)?
    else {
        return None;
    };
    let is_seat = |id: ExprId| program.exprs.get(id as usize) == Some(&Expr::Local(seat));
    let joined = is_seat(now) && is_seat(begins) && kept == before;
    joined.then_some(Op::NextTurn {
        seat,
        goes_on: begin + 1,
    })
}
