//! `wyrmgate store backup`: downloads all data of a running server.

use std::io::{BufRead, BufReader, Error};
use std::net::TcpStream;
use std::time::Duration;

use super::super::health::{ServerArgs, authority, get};
use super::super::progress::progress_line;
use super::super::{Stop, Verdict};
use super::chunked::Chunked;
use super::file::{Draft, Output};
use super::report::Report;
use crate::store::PortableReader;

/// Maximum silence of the server.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    server: ServerArgs,
    /// API key with the scope `backup`, if the server has keys; prefer WYRMGATE_KEY, which other users cannot see
    #[arg(long, env = "WYRMGATE_KEY", hide_env_values = true)]
    key: Option<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let url = args.server.url();
    let authority = authority(&url)?;
    let silent = |error: std::io::Error| Stop::failure(format!("{url} does not respond: {error}"));
    args.output.refuse_existing()?;
    let mut answer = ask(authority, args.key.as_deref()).map_err(silent)?;
    let mut draft = Draft::begin(&args.output.file)?;
    let mut reader = PortableReader::default();
    let progress = progress_line("backed up");
    let mut line = Vec::new();
    loop {
        line.clear();
        if answer.read_until(b'\n', &mut line).map_err(silent)? == 0 {
            break;
        }
        reader.line(&line).map_err(Stop::failure)?;
        draft.write(&line)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    let counts = reader.finish().map_err(Stop::failure)?;
    draft.finish()?;
    Report::read(counts).tell(args.json)
}

/// Returns the body of `GET /backup`.
fn ask(
    authority: &str,
    key: Option<&str>,
) -> std::io::Result<BufReader<Chunked<BufReader<TcpStream>>>> {
    let credential = match key {
        Some(key) if key.bytes().all(|byte| byte.is_ascii_graphic()) => {
            format!("Authorization: Bearer {key}\r\n")
        }
        Some(_) => return Err(Error::other("this is not an API key")),
        None => String::new(),
    };
    let headers = credential + "Accept: application/jsonl\r\nAccept-Encoding: identity\r\n";
    let mut answer = BufReader::new(get(authority, "/backup", &headers, PATIENCE)?);
    let mut line = String::new();
    answer.read_line(&mut line)?;
    let status = line.split(' ').nth(1).unwrap_or_default().to_owned();
    while !line.trim_end().is_empty() {
        line.clear();
        answer.read_line(&mut line)?;
    }
    match status.as_str() {
        "200" => Ok(BufReader::new(Chunked::new(answer))),
        "401" | "403" => Err(Error::other(
            "send a key with the scope `backup`; a server without keys gives a backup only to its own machine",
        )),
        other => Err(Error::other(format!("status {other}"))),
    }
}
