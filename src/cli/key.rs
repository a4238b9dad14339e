//! `wyrmgate key`: generates an operator key.

use super::{Stop, Verdict};
use crate::api::{OperatorScope, OwnerKey};
use crate::config::Rates;
use crate::session::{Token, TokenRights};

const EXAMPLES: &str = "\
Examples:
  wyrmgate key lobby --scopes create
  wyrmgate key ops --scopes create,manage,upload,simulate,metrics,backup,players
  wyrmgate key lobby --scopes create --json

The key is shown only once; the server stores only its hash. Add the printed entry under `keys:` in the file that \
`wyrmgate serve --keys FILE` names. To rotate a key, add the new entry, distribute the new key, and remove the old \
entry; servers reload the file within a second.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Name of the key in the key file
    name: String,
    /// Scopes, separated by commas
    #[arg(long, value_delimiter = ',', required = true)]
    scopes: Vec<OperatorScope>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    let token = Token::random(TokenRights::Key).map_err(Stop::failure)?;
    let key = OwnerKey {
        name: args.name,
        hash: token.hash(),
        scopes: args.scopes,
        rates: Rates::default(),
    };
    let entry = serde_json::to_value(&key).map_err(Stop::failure)?;
    if args.json {
        say_json!({"key": token.reveal(), "entry": entry});
    } else {
        say!("{}\n\n  - {entry}", token.reveal());
    }
    Ok(Verdict::Good)
}
