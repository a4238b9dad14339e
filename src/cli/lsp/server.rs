//! Reads messages and sends answers.

use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, Response};

use super::super::Stop;
use crate::desk::Desk;

/// Diagnostics wait for this time without typing.
const QUIET: Duration = Duration::from_millis(120);

pub fn run(mut desk: Desk, connection: &Connection) -> Result<(), Stop> {
    loop {
        let message = match desk.has_changed() {
            false => connection.receiver.recv().ok(),
            true => match connection.receiver.recv_timeout(QUIET) {
                Ok(message) => Some(message),
                Err(error) if error.is_timeout() => {
                    publish(&mut desk, connection)?;
                    continue;
                }
                Err(_) => None,
            },
        };
        match message {
            None => return Ok(()),
            Some(Message::Request(request)) => {
                if connection
                    .handle_shutdown(&request)
                    .map_err(Stop::failure)?
                {
                    return Ok(());
                }
                send(connection, answer(&desk, request).into())?;
            }
            Some(Message::Notification(note)) => desk.note(&note.method, &note.params),
            Some(Message::Response(_)) => {}
        }
    }
}

fn answer(desk: &Desk, request: Request) -> Response {
    match desk.answer(&request.method, &request.params) {
        Ok(answer) => Response::new_ok(request.id, answer),
        Err(refused) => Response::new_err(request.id, refused.code, refused.message),
    }
}

fn publish(desk: &mut Desk, connection: &Connection) -> Result<(), Stop> {
    for (method, params) in desk.diagnostics() {
        let method = method.to_owned();
        send(connection, Notification { method, params }.into())?;
    }
    Ok(())
}

fn send(connection: &Connection, message: Message) -> Result<(), Stop> {
    connection
        .sender
        .send(message)
        .map_err(|_| Stop::ReaderGone)
}
