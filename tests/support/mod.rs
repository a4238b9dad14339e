//! What tests share.

#![allow(dead_code)] // every test file uses a part of it

pub mod command;
