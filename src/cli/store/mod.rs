//! `wyrmgate store`: moves data between stores and files.

mod backup;
mod check;
mod chunked;
mod file;
mod report;
mod transfer;

use std::path::PathBuf;

use clap::Subcommand;

use self::file::Output;
use self::report::Report;
use super::{Stop, Verdict};
use crate::store::{self, Store, StoreError};

const EXAMPLES: &str = "\
Examples:
  wyrmgate store backup tuesday.jsonl
  WYRMGATE_KEY=wg_key_… wyrmgate store backup --force tuesday.jsonl
  wyrmgate store check wyrmgate.redb
  wyrmgate store verify tuesday.jsonl
  wyrmgate store import tuesday.jsonl --store embedded:restored.redb
  wyrmgate store export everything.jsonl --store redis://10.0.0.5/
  wyrmgate store copy embedded:wyrmgate.redb redis+cluster://10.0.0.5:6379,10.0.0.6:6379

`backup` reads from a running server. The other commands open the store themselves; only one process can open an \
embedded store, so stop its server first. Existing data is left alone, so you can repeat an interrupted import or copy. \
The exit code is 0 on success, 1 if some data is damaged or could not be transferred or verified, and 2 for invalid arguments.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write all data of a running server to a file
    Backup(backup::Args),
    /// Write all data of a store to a file
    Export {
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Read a whole embedded store and verify its checksums
    Check(check::Args),
    /// Load the data of a file into a store
    Import {
        /// A file of `backup` or `export`
        file: PathBuf,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Copy all data from one store to another
    Copy {
        /// `embedded:PATH`, `redis://HOST`, `redis+sentinel://HOST:PORT/NAME` or `redis+cluster://HOST:PORT,HOST:PORT`
        from: String,
        /// Written like FROM
        to: String,
        /// Print one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Read a whole file and verify its checksums
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
    /// `embedded:PATH`, `redis://HOST`, `redis+sentinel://HOST:PORT/NAME` or `redis+cluster://HOST:PORT,HOST:PORT`
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
            Command::Export { output, store } => {
                output.refuse_existing()?;
                let from = open_filled(&store.store).await?;
                let exported = transfer::export(&*from, &output.file).await?;
                exported.tell(store.json)
            }
            Command::Check(args) => check::run(&args),
            Command::Import { file, store } => {
                file::verify(&file, &mut |_| Ok(()))?;
                let to = open(&store.store).await?;
                transfer::import(&file, &*to).await?.tell(store.json)
            }
            Command::Copy { from, to, json } => {
                if from == to {
                    return Err(Stop::usage("cannot copy a store onto itself"));
                }
                let (from, to) = (open_filled(&from).await?, open(&to).await?);
                transfer::copy(&*from, &*to).await?.tell(json)
            }
            Command::Verify { file, json } => {
                let counts = file::verify(&file, &mut |_| Ok(()))?;
                Report::read(counts).tell(json)
            }
        }
    })
}

/// Opens a store to read from: a file that is not there is a slip, and opening would create it.
async fn open_filled(spec: &str) -> Result<std::sync::Arc<dyn Store>, Stop> {
    match spec.strip_prefix("embedded:").map(std::path::Path::new) {
        Some(file) if !file.exists() => Err(Stop::usage(format!(
            "{}: there is no such store",
            file.display()
        ))),
        Some(_) | None => open(spec).await,
    }
}

async fn open(spec: &str) -> Result<std::sync::Arc<dyn Store>, Stop> {
    if spec == "memory" {
        let reason = "a `memory` store ends with its process: there is nothing to copy";
        return Err(Stop::usage(reason));
    }
    store::open(spec).await.map_err(|error| match error {
        StoreError::Misconfigured(_) => Stop::usage(error),
        error => Stop::failure(error),
    })
}
