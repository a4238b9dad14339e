//! `wyrmgate store`: what is kept, moved: into a file, out of it, from one engine to another.

mod backup;
mod chunked;
mod file;
mod report;
mod transfer;

use std::path::PathBuf;

use clap::Subcommand;

use self::report::Report;
use super::{Stop, Verdict};
use crate::store::{self, Store, StoreError};

const EXAMPLES: &str = "\
Examples:
  WYRMGATE_KEY=wg_key_… wyrmgate store backup tuesday.jsonl
  wyrmgate store verify tuesday.jsonl
  wyrmgate store import tuesday.jsonl --store embedded:restored.redb
  wyrmgate store export everything.jsonl --store redis://10.0.0.5/
  wyrmgate store copy embedded:wyrmgate.redb redis+cluster://10.0.0.5:6379,10.0.0.6:6379

`backup` asks a running server. The others open the store themselves: the file of an embedded store can be opened by
one process only, so stop its server first. What is there already is left alone, so that an import or a copy that was
broken off can simply be repeated. The exit code is 0 if everything is where it should be, 1 if something is not, 2 if
it cannot be done as asked.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write everything a running server keeps into a file
    Backup(backup::Args),
    /// Write everything in a store into a file
    Export {
        /// The file; it is there once it is whole
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Put what a file holds into a store
    Import {
        /// A file of `backup` or `export`
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Put everything in one store into another
    Copy {
        /// `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`
        from: String,
        /// As FROM
        to: String,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Read a file to its end and compare its sums
    Verify {
        /// A file of `backup` or `export`
        file: PathBuf,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
struct StoreArgs {
    /// `embedded:PATH`, `redis://HOST` or `redis+cluster://HOST:PORT,HOST:PORT`
    #[arg(
        long,
        env = "WYRMGATE_STORE",
        value_name = "STORE",
        hide_env_values = true
    )]
    store: String,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    actix_web::rt::System::new().block_on(async {
        match args.command {
            Command::Backup(args) => backup::run(&args),
            Command::Export { file, store } => {
                let from = open(&store.store).await?;
                transfer::export(&*from, &file).await?.tell(store.json)
            }
            Command::Import { file, store } => {
                file::verify(&file, &mut |_| Ok(()))?;
                let to = open(&store.store).await?;
                transfer::import(&file, &*to).await?.tell(store.json)
            }
            Command::Copy { from, to, json } => {
                if from == to {
                    return Err(Stop::usage("a store cannot be copied onto itself"));
                }
                let (from, to) = (open(&from).await?, open(&to).await?);
                transfer::copy(&*from, &*to).await?.tell(json)
            }
            Command::Verify { file, json } => {
                let counts = file::verify(&file, &mut |_| Ok(()))?;
                Report::read(counts).tell(json)
            }
        }
    })
}

async fn open(spec: &str) -> Result<std::sync::Arc<dyn Store>, Stop> {
    if spec == "memory" {
        return Err(Stop::usage(
            "`memory` ends with its process: there is nothing to move",
        ));
    }
    store::open(spec).await.map_err(|error| match error {
        StoreError::Misconfigured(_) => Stop::usage(error),
        error => Stop::failure(error),
    })
}
