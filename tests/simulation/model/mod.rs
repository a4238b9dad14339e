//! A Redis in small: the commands that the store uses, and the very scripts it sends, in one process without a network of
//! its own. It can die before, after and in the middle of an answer, lose the last second, forget what no replica has, and
//! do a script twice. Several make a cluster.

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
