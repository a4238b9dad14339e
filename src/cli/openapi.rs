//! `wyrmgate openapi`: prints the OpenAPI document.

use super::{Stop, Verdict};
use crate::api;

const EXAMPLES: &str = "\
Examples:
  wyrmgate openapi > openapi/openapi.json
  wyrmgate openapi --strict > strict.json

The server sends the same document at /openapi.json. Generators of clients cannot read all constraints between the members of \
a body, so these are only in the strict form: every request that conforms to it is well-formed.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Include the constraints between members of a body, for tests of the contract
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
