//! A server that stood still takes what arrived meanwhile as if it had come in time.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use super::process::Process;

/// A request and its body, which is sent in two parts.
const BODY: &str = r#"{"game": "nim", "seats": 2}"#;

#[test]
fn a_body_that_came_while_the_server_stood_still_came_in_time() {
    let server = Process::start_with("memory", &["--body-deadline", "1s"]);
    let mut late = half_a_request(&server);
    server.pause();
    late.write_all(&BODY.as_bytes()[BODY.len() / 2..]).unwrap();
    sleep(Duration::from_millis(1500)); // more than the deadline
    server.resume();
    assert_eq!(status(&mut late), "200");
    // The same without a pause: nothing more comes, and the deadline holds.
    assert_eq!(status(&mut half_a_request(&server)), "408");
}

/// The head and half of the body, which the server has begun to read.
fn half_a_request(server: &Process) -> TcpStream {
    let address = server.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let length = BODY.len();
    let head = format!(
        "POST /v1/steps HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&BODY.as_bytes()[..length / 2]).unwrap();
    sleep(Duration::from_millis(300));
    stream
}

fn status(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}
