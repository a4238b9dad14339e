//! The current ranking of a running game: by the numbers that rank its end, if they can be evaluated earlier; otherwise
//! by score, if there is one.

use super::simplify::children::{Child, of_expr, of_set};
use wyrmgate_program::*;

/// The keys of the first `finish ranked by` that name nothing of the effect they stand in.
pub fn find(program: &mut Program) -> Option<StandingInfo> {
    let ranked = program.code.iter().find_map(|op| match *op {
        Op::FinishRanked { keys, count, .. } => Some(StandingInfo { keys, count }),
        _ => None,
    });
    let at_rest = |standing: &StandingInfo| {
        let keys = standing.keys..standing.keys + ExprId::from(standing.count);
        keys.into_iter()
            .all(|key| is_free(program, Child::Expr(key)))
    };
    ranked.filter(at_rest).or_else(|| score(program))
}

/// Does it depend on the state alone, and not on the names of an effect?
fn is_free(program: &Program, part: Child) -> bool {
    let parts = match part {
        Child::Expr(id) => match program.exprs.get(id as usize).copied() {
            None | Some(Expr::Local(_) | Expr::LocalAt { .. }) => return false,
            Some(Expr::Call { query, args }) => arguments(program, args, params_of(program, query)),
            Some(Expr::CallKind { dispatch, args }) => {
                arguments(program, args, params_by_kind(program, dispatch))
            }
            Some(expr) => of_expr(program, expr),
        },
        Child::Set(id) => match program.sets.get(id as usize).copied() {
            None | Some(Set::Local(_) | Set::LocalAt { .. }) => return false,
            Some(Set::Call { query, args }) => arguments(program, args, params_of(program, query)),
            Some(Set::CallKind { dispatch, args }) => {
                arguments(program, args, params_by_kind(program, dispatch))
            }
            Some(set) => of_set(set),
        },
    };
    parts.into_iter().all(|part| is_free(program, part))
}

fn params_of(program: &Program, query: QueryId) -> u16 {
    let query = program.queries.get(usize::from(query));
    query.map_or(0, |query| query.params)
}

fn params_by_kind(program: &Program, dispatch: DispatchId) -> u16 {
    let dispatch = program.dispatches.get(usize::from(dispatch));
    dispatch.map_or(0, |dispatch| dispatch.params)
}

/// What a query is called with: a list fills two of its temps.
fn arguments(program: &Program, first: ExprId, params: u16) -> Vec<Child> {
    let mut all = Vec::new();
    let mut filled = 0;
    for argument in first.. {
        if filled >= params {
            break;
        }
        let is_list = matches!(
            program.exprs.get(argument as usize),
            Some(Expr::ListArgument(_))
        );
        filled += if is_list { 2 } else { 1 };
        all.push(Child::Expr(argument));
    }
    all
}

fn score(program: &mut Program) -> Option<StandingInfo> {
    let score = program.vars.get(usize::from(VAR_SCORE))?;
    let (offset, low, len) = (score.offset, score.low, score.len);
    let scores = |op: &Op| match *op {
        Op::Score { .. } => true,
        Op::SetWordAt { offset: of, .. } => of == offset,
        _ => false,
    };
    if !program.code.iter().any(scores) {
        return None;
    }
    let next = program.exprs.len() as ExprId;
    program.exprs.push(Expr::Temp(0));
    program.exprs.push(Expr::WordAt {
        offset,
        low,
        len,
        index: next,
        default: 0,
    });
    Some(StandingInfo {
        keys: next + 1,
        count: 1,
    })
}
