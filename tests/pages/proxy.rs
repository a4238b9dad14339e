//! A reverse proxy that shows a server below a path, as `https://host/games/`.

use std::io::{BufRead, BufReader, Write, copy};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

/// The path below which the server is shown.
const BELOW: &str = "/games";

/// Starts a proxy in front of a server, until the tests end. Returns the address of what it shows, which ends with a slash.
pub fn show_below_a_path(url: &str) -> String {
    let target = url.strip_prefix("http://").unwrap().to_owned();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let target = target.clone();
            thread::spawn(move || pass(client, &target));
        }
    });
    format!("http://{address}{BELOW}/")
}

/// Passes one request on, and everything that comes back.
fn pass(client: TcpStream, target: &str) -> std::io::Result<()> {
    let mut from = BufReader::new(client.try_clone()?);
    let mut first = String::new();
    from.read_line(&mut first)?;
    let mut words = first.split(' ');
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let Some(path) = path.strip_prefix(BELOW) else {
        return write!(
            &client,
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
    };
    let mut server = TcpStream::connect(target)?;
    write!(server, "{method} {path} HTTP/1.1\r\n")?;
    let mut is_socket = false;
    let mut lines: Vec<String> = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        is_socket |= line.to_lowercase().starts_with("upgrade: websocket");
        if line.trim().is_empty() {
            break;
        }
        lines.push(line);
    }
    // The next request on this connection would not be rewritten.
    let is_kept = |line: &&String| is_socket || !line.to_lowercase().starts_with("connection:");
    for line in lines.iter().filter(is_kept) {
        server.write_all(line.as_bytes())?;
    }
    server.write_all(if is_socket {
        b"\r\n"
    } else {
        b"connection: close\r\n\r\n"
    })?;
    let (mut back, mut forth) = (server.try_clone()?, client);
    let mut client = forth.try_clone()?;
    thread::spawn(move || {
        let _ = copy(&mut from, &mut server);
    });
    let _ = copy(&mut back, &mut forth);
    client.flush()?;
    client.shutdown(Shutdown::Both)
}
