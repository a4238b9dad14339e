//! `wyrmgate lsp`: the language server of rules, over standard input and output.
//!
//! What is answered is found in `crate::editor`; here is only the protocol: buffers, messages, and what JSON they are.

mod answer;
mod convert;
mod server;

use lsp_server::Connection;

use super::{Stop, Verdict};

const HELP: &str = "\
Examples:
  wyrmgate lsp

An editor starts it by itself; `editors/` shows how, for VS Code and Neovim. It knows diagnostics while typing (of the
rules and of the scenarios beside them), completion, hover, definitions, references, rename and formatting, also inside
the effect text of block scalars, and speaks the Language Server Protocol 3.17 with UTF-16 positions.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// What most editors pass; it changes nothing
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(_: &Args) -> Result<Verdict, Stop> {
    let (connection, threads) = Connection::stdio();
    let (id, params) = connection.initialize_start().map_err(Stop::failure)?;
    connection
        .initialize_finish(id, server::capabilities())
        .map_err(Stop::failure)?;
    let ended = server::Server::new(&params).run(&connection);
    // The threads end when nobody can write to them any more.
    drop(connection);
    threads.join()?;
    ended.map(|()| Verdict::Good)
}
