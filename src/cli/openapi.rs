//! `wyrmgate openapi`: prints the OpenAPI document.

use super::{Stop, Verdict};
use crate::api;

const EXAMPLES: &str = "\
Examples:
  wyrmgate openapi > openapi/openapi.json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

pub fn run(_: &Args) -> Result<Verdict, Stop> {
    say!("{}", api::openapi_json());
    Ok(Verdict::Good)
}
