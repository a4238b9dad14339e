//! `wyrmgate lsp`: the language server for rules, over standard input and output.
//!
//! The answers come from `crate::desk`. This module contains only the transport.

mod server;

use lsp_server::Connection;

use super::{Stop, Verdict};
use crate::desk::{self, Desk};

const HELP: &str = "\
Examples:
  wyrmgate lsp

Editors start this command; `editors/` shows how for VS Code and Neovim. It supports diagnostics while you type (in rules \
and scenarios), completion, hover, go to definition, references and rename (through all variants), highlights, quick fixes and formatting, \
also in the effect text of block scalars. It implements the Language Server Protocol 3.17 with UTF-16 positions.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Ignored; most editors pass it
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(_: &Args) -> Result<Verdict, Stop> {
    let (connection, threads) = Connection::stdio();
    let (id, params) = connection.initialize_start().map_err(Stop::failure)?;
    connection
        .initialize_finish(id, desk::capabilities())
        .map_err(Stop::failure)?;
    let ended = server::run(Desk::in_folder(&params), &connection);
    // The threads end when they can no longer send.
    drop(connection);
    threads.join()?;
    ended.map(|()| Verdict::Good)
}
