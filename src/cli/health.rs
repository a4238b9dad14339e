//! `wyrmgate health`: a health check for containers without another HTTP client.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::{Stop, Verdict};

const EXAMPLES: &str = "\
Examples:
  wyrmgate health
  wyrmgate health --url http://127.0.0.1:9000

The exit code is 0 if the server responds, 1 if it does not.";

/// Time limit for the response.
const PATIENCE: Duration = Duration::from_secs(3);
/// Maximum number of bytes to read. Only the first line matters.
const ANSWER_BYTES_MAX: u64 = 4096;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    server: ServerArgs,
}

/// A running server.
#[derive(Debug, clap::Args)]
pub(super) struct ServerArgs {
    /// URL of the server [default: from --listen or WYRMGATE_LISTEN]
    #[arg(long, env = "WYRMGATE_URL")]
    url: Option<String>,
    /// Address that the server listens on
    #[arg(
        long,
        env = "WYRMGATE_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS"
    )]
    listen: String,
}

impl ServerArgs {
    pub fn url(&self) -> String {
        self.url.clone().unwrap_or_else(|| url_of(&self.listen))
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let url = args.server.url();
    match ask(authority(&url)?) {
        Ok(line) if line.split(' ').nth(1) == Some("200") => {
            say!("alive");
            Ok(Verdict::Good)
        }
        Ok(line) => Err(Stop::failure(format!("{url} answers: {line}"))),
        Err(error) => Err(Stop::failure(format!("{url} does not respond: {error}"))),
    }
}

/// Returns the URL for a listen address. A server that listens on every address is queried on the loopback interface.
pub(super) fn url_of(listen: &str) -> String {
    let own = listen
        .replace("0.0.0.0:", "127.0.0.1:")
        .replace("[::]:", "[::1]:");
    format!("http://{own}")
}

/// Returns `127.0.0.1:8080` for `http://127.0.0.1:8080/`.
pub(super) fn authority(url: &str) -> Result<&str, Stop> {
    url.strip_prefix("http://")
        .and_then(|rest| rest.split('/').next())
        .filter(|authority| !authority.is_empty())
        .ok_or_else(|| {
            Stop::usage(format!(
                "`{url}` is not a URL; write one like http://127.0.0.1:8080"
            ))
        })
}

/// Returns the status line of `GET /livez`.
fn ask(authority: &str) -> std::io::Result<String> {
    let stream = get(authority, "/livez", "", PATIENCE)?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer)?;
    let text = String::from_utf8_lossy(&answer);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Sends a request, and returns the connection on which the server answers. Each header ends with a line break.
pub(super) fn get(
    authority: &str,
    path: &str,
    headers: &str,
    patience: Duration,
) -> std::io::Result<TcpStream> {
    let mut stream = connect(authority)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_write_timeout(Some(patience))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {authority}\r\n{headers}Connection: close\r\n\r\n"
    )?;
    Ok(stream)
}

/// Connects to any address of the name. The default port is 80.
fn connect(authority: &str) -> std::io::Result<TcpStream> {
    let with_port = if authority.ends_with(']') || !authority.contains(':') {
        format!("{authority}:80")
    } else {
        authority.to_owned()
    };
    let mut last = std::io::Error::from(std::io::ErrorKind::NotFound);
    for address in with_port.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authority_is_what_stands_between_the_slashes() {
        assert_eq!(
            authority("http://localhost:8080/v1").ok(),
            Some("localhost:8080")
        );
        assert!(authority("localhost:8080").is_err());
    }

    #[test]
    fn a_server_on_every_address_is_asked_on_the_loopback() {
        assert_eq!(url_of("0.0.0.0:9000"), "http://127.0.0.1:9000");
        assert_eq!(url_of("[::]:9000"), "http://[::1]:9000");
    }
}
