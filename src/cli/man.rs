//! `wyrmgate man`: manual pages.

use std::io::Write;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_mangen::Man;

use super::{Cli, Stop, Verdict};

const EXAMPLES: &str = "\
Examples:
  wyrmgate man | man -l -
  wyrmgate man --write ~/.local/share/man/man1";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    match &args.write {
        Some(folder) => {
            std::fs::create_dir_all(folder)?;
            clap_mangen::generate_to(Cli::command(), folder)?;
        }
        None => {
            let mut page = Vec::new();
            Man::new(Cli::command()).render(&mut page)?;
            std::io::stdout().write_all(&page)?;
        }
    }
    Ok(Verdict::Good)
}
