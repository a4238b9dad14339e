//! Shared code of the tests.

#![allow(dead_code, reason = "every test file uses a part of it")]

pub mod command;
pub mod console;
pub mod nested;
