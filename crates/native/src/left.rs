//! Lists the parts of a game that machine code leaves to the interpreter, so that authors see why a game is slow.

use crate::translation::Translation;
use crate::translator::notes::Part;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{Address, ComponentMove, MovePlace, Op, Program};

/// A place of the rules of which a part is left to the interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftLine {
    /// The place of the statement or decision.
    pub span: Span,
    pub what: Part,
    pub statement: Statement,
}

wyrmgate_base::named_enum! {
    /// The kind of a statement.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Statement {
        Decision = "decision",
        RandomChoice = "random choice",
        Condition = "condition",
        Let = "let",
        Loop = "loop",
        Assignment = "assignment",
        Move = "move",
        Finish = "finish",
        Other = "statement",
    }
}

/// Returns what machine code leaves to the interpreter, in the order of the rules; `None` if nothing is machine code. The
/// program is translated if that has not been done yet.
pub fn left_to_interpreter(program: &Program) -> Option<Vec<LeftLine>> {
    let translation = Translation::of(program)?;
    let left = translation.code.left.iter();
    let left = left.filter(|left| left.what != Part::Operation || !is_one_call(program, left.at));
    let lines = left.map(|left| LeftLine {
        span: span_of(program, left.at),
        what: left.what,
        statement: statement(program, left.at),
    });
    let mut lines: Vec<LeftLine> = lines.collect();
    lines.sort_unstable();
    lines.dedup();
    Some(lines)
}

/// Returns whether an operation is a single call of the engine, which code of its own would not make faster.
fn is_one_call(program: &Program, at: Address) -> bool {
    matches!(
        program.code.ops.get(at as usize),
        Some(
            Op::Move(ComponentMove {
                place: MovePlace::At(_),
                ..
            }) | Op::MoveToCell(_)
                | Op::Swap(..)
                | Op::Rotate(_)
                | Op::TurnFace { .. }
                | Op::Show { .. }
                | Op::FinishRanked(_)
                | Op::FinishWonBy(_)
                | Op::FinishDrawn
        )
    )
}

/// Returns the place of an operation. Decisions have one of their own.
fn span_of(program: &Program, at: Address) -> Span {
    let site = match program.code.ops.get(at as usize) {
        Some(Op::Choose(site) | Op::ChooseEach { site, .. } | Op::ChooseAtRandom(site)) => {
            program.site(*site)
        }
        _ => None,
    };
    let own = site.map(|site| site.span);
    let span = own.or_else(|| program.code.spans.get(at as usize).copied());
    span.unwrap_or_default()
}

fn statement(program: &Program, at: Address) -> Statement {
    match program.code.ops.get(at as usize) {
        Some(Op::Choose(_) | Op::ChooseEach { .. }) => Statement::Decision,
        Some(Op::ChooseAtRandom(_)) => Statement::RandomChoice,
        Some(Op::JumpUnless(..)) => Statement::Condition,
        Some(Op::Let(..) | Op::LetList(..)) => Statement::Let,
        Some(Op::EachNext(_) | Op::Mark(_) | Op::Release(_)) => Statement::Loop,
        Some(Op::SetWord { .. } | Op::SetWordAt(_) | Op::SetMember(_)) => Statement::Assignment,
        Some(Op::Move(_) | Op::MoveAll(_)) => Statement::Move,
        Some(Op::FinishRanked(_) | Op::FinishWonBy(_)) => Statement::Finish,
        _ => Statement::Other,
    }
}
