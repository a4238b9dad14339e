//! `wyrmgate openapi`: prints the OpenAPI document.

use super::{Stop, Verdict};
use crate::api;

const EXAMPLES: &str = "\
Examples:
  wyrmgate openapi > openapi/openapi.json
  wyrmgate openapi --strict > strict.json

The server sends the same document at /openapi.json. Answers may grow in it, so that clients survive newer servers: events of \
other types, other codes and statuses. The strict form is closed. Generators of clients cannot read all constraints between the \
members of a body, so these are only in it too: every request that conforms to it is well-formed.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Only what this version sends, and the constraints between members of a body, for tests of the contract
    #[arg(long)]
    strict: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let document = match args.strict {
        true => api::strict_openapi_json(),
        false => api::openapi_json(),
    };
    say!("{document}");
    Ok(Verdict::Good)
}
