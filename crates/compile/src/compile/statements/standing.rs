//! The current ranking of a running game: by the numbers that rank its end, if they can be evaluated earlier; otherwise
//! by score, if there is one.

use crate::names::declaration::WordRun;
use wyrmgate_program::*;

/// Returns the keys of the first `finish ranked by` that refer to no name of their effect.
pub fn find(program: &mut Program) -> Option<StandingInfo> {
    let ranked = program.code.ops.iter().find_map(|op| {
        let Op::FinishRanked(RankedFinish { keys, count, .. }) = *op else {
            return None;
        };
        Some(StandingInfo { keys, count })
    });
    let at_rest = |standing: &StandingInfo| {
        let keys = standing.keys..standing.keys + ExprId::from(standing.count);
        keys.into_iter()
            .all(|key| is_free(program, Part::Expr(key)))
    };
    ranked.filter(at_rest).or_else(|| score(program))
}

/// Returns whether it depends on the state alone, and not on the names of an effect.
fn is_free(program: &Program, part: Part) -> bool {
    program.every_node(part, &mut |node| {
        let mut names = false;
        node.each_field(&mut |field| names |= matches!(field, Field::Frame(_)));
        !names
    })
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other forms have a general translation"
)]
fn score(program: &mut Program) -> Option<StandingInfo> {
    let score = program.var(VAR_SCORE)?;
    let (offset, low, len) = (score.offset, score.low, score.len);
    let scores = |op: &Op| match *op {
        Op::Score { .. } => true,
        Op::SetWordAt(WordChange { offset: of, .. }) => of == offset,
        _ => false,
    };
    if !program.code.ops.iter().any(scores) {
        return None;
    }
    let next = program.exprs.len() as ExprId;
    program.exprs.push(Expr::Temp(0));
    let words = WordRun::new(offset, low, len);
    program.exprs.push(words.at(next, 0));
    Some(StandingInfo {
        keys: next + 1,
        count: 1,
    })
}
