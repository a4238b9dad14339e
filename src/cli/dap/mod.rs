//! `wyrmgate dap`: the debugger for rules, over standard input and output.
//!
//! `crate::debugger` plays the game and walks through it. This folder speaks the Debug Adapter Protocol: `wire` reads and
//! writes its messages, `launch` reads what to debug, `adapter` answers requests.

mod adapter;
mod launch;
mod wire;

use std::io::{stdin, stdout};

use super::setup::RulesArgs;
use super::{Stop, Verdict};

const HELP: &str = "\
Examples:
  wyrmgate dap

Editors start this command; `editors/` shows how for VS Code. It plays a game once and records every moment; then you walk
through it in both directions. The arguments of `launch`:

  game      a game by name or folder, optionally with overlays
  scenario  debug the first scenario whose name contains this text, or
  record    debug the game in this file, or neither: seats choose at random
  seats, options, seed   the setup of a game in which seats choose at random
  stopOnEntry            stop at the first statement

Breakpoints are lines of the rules, and clauses (as function breakpoints: `DKN-25`). The console shows the value of a name,
a variable or a query without parameters, and why a choice is offered or not: `{\"option\": \"move\", \"args\": {\"p\": \"e4\"}}`.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    rules: RulesArgs,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut wire = wire::Wire::new(stdin().lock(), stdout().lock());
    while let Some(launch) = adapter::until_launch(&mut wire)? {
        match launch::course(&launch, &args.rules.rules) {
            Ok(debugged) => {
                adapter::debug(&mut wire, &debugged, &launch)?;
                return Ok(Verdict::Good);
            }
            Err(reason) => adapter::refuse(&mut wire, &launch, &reason)?,
        }
    }
    Ok(Verdict::Good)
}
