//! `wyrmgate dap`: the debugger for rules, over standard input and output.
//!
//! `crate::debugger` plays the game, walks through it and answers requests. `wire` reads and writes messages, `launch` finds
//! what to debug on disk.

mod launch;
mod wire;

use std::io::{stdin, stdout};

use super::setup::RulesArgs;
use super::{Stop, Verdict};
use crate::debugger::protocol::Debugger;

const HELP: &str = "\
Examples:
  wyrmgate dap

Editors start this command; `editors/` shows how for VS Code. It plays a game once and records every moment; then you walk \
through it in both directions. The arguments of `launch`:

  game      a game by name or folder, optionally with overlays
  scenario  debug the first scenario whose name contains this text, or
  record    debug the game in this file, or neither: seats choose at random
  choices   debug the beginning of a game: choices as in requests, each with its `seat`
  seats, options, seed   the setup of a game without scenario and record
  stopOnEntry            stop at the first statement

Breakpoints are lines of the rules, and clauses (as function breakpoints: `DKN-25`), with or without a condition. The console \
evaluates expressions of the rules, and says why a choice is offered or not: `{\"option\": \"move\", \"args\": {\"p\": \"e4\"}}`.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut wire = wire::Wire::new(stdin().lock(), stdout().lock());
    let mut debugger = Debugger::default();
    while !debugger.is_over()
        && let Some(request) = wire.next()?
    {
        let launch = |wanted: &_| launch::debugged(wanted, &args.rules.rules);
        for message in debugger.answer(&request, &launch) {
            wire.send(&message)?;
        }
    }
    Ok(Verdict::Good)
}
