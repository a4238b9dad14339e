//! `wyrmgate completions`: prints what a shell completes.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Stop, Verdict};

const EXAMPLES: &str = "\
Examples:
  wyrmgate completions bash > ~/.local/share/bash-completion/completions/wyrmgate
  wyrmgate completions zsh > ~/.zfunc/_wyrmgate
  wyrmgate completions fish > ~/.config/fish/completions/wyrmgate.fish";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    shell: Shell,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wyrmgate", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(Verdict::Good)
}
