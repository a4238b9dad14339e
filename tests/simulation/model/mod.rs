//! A model of Redis: the commands that the store uses and the scripts that it sends, in one process without a network of
//! its own. It can crash before, after and during an answer, lose the last second, lose writes that no replica has, and
//! run a script twice. Several form a cluster.

mod cluster;
mod commands;
mod data;
mod inspect;
mod resp;
mod script;
mod server;
mod slots;
mod surveys;

pub use cluster::{ALONE, Servers, Step};
pub use server::{Crash, Loss, PORT, Server, serve};
pub use slots::Moving;
