//! `wyrmgate store backup`: downloads all data of a running server.

use std::io::{BufRead, BufReader, Error, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::Duration;

use super::super::health::{ServerArgs, authority, connect};
use super::super::{Stop, Verdict};
use super::chunked::Chunked;
use super::file::Draft;
use super::report::{Progress, Report};
use crate::store::PortableReader;

/// Maximum silence of the server.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Output file; created once the backup is complete
    file: PathBuf,
    #[command(flatten)]
    server: ServerArgs,
    /// API key with the scope `backup`; prefer WYRMGATE_KEY, which other users cannot see
    #[arg(long, env = "WYRMGATE_KEY", hide_env_values = true)]
    key: String,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let url = args.server.url();
    let authority = authority(&url)?;
    let silent = |error: std::io::Error| Stop::failure(format!("{url} does not respond: {error}"));
    let mut answer = ask(authority, &args.key).map_err(silent)?;
    let mut draft = Draft::begin(&args.file)?;
    let mut reader = PortableReader::default();
    let progress = Progress::begin("backed up");
    let mut line = Vec::new();
    loop {
        line.clear();
        if answer.read_until(b'\n', &mut line).map_err(silent)? == 0 {
            break;
        }
        reader.line(&line).map_err(Stop::failure)?;
        draft.write(&line)?;
        progress.advance();
    }
    drop(progress);
    let counts = reader.finish().map_err(Stop::failure)?;
    draft.finish()?;
    Report::read(counts).print(args.json)
}

/// Returns the body of `GET /backup`.
fn ask(authority: &str, key: &str) -> std::io::Result<BufReader<Chunked<BufReader<TcpStream>>>> {
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::other("this is not an API key"));
    }
    let mut stream = connect(authority)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET /backup HTTP/1.1\r\nHost: {authority}\r\nAuthorization: Bearer {key}\r\n\
         Accept: application/jsonl\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = BufReader::new(stream);
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
            "the key lacks the scope `backup`, or the server has no keys",
        )),
        other => Err(Error::other(format!("status {other}"))),
    }
}
