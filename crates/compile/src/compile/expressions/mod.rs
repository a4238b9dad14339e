//! Expressions to the arenas of a program, with their types.

pub(crate) mod advice;
pub(crate) mod after;
pub(crate) mod board;
pub(crate) mod bundles;
pub(crate) mod by_key;
pub(crate) mod cell;
pub(crate) mod expr;
pub(crate) mod function;
pub(crate) mod index;
pub(crate) mod is;
pub(crate) mod keys;
pub(crate) mod line;
pub(crate) mod member;
pub(crate) mod name;
pub(crate) mod operator;
pub(crate) mod position;
pub(crate) mod records;
pub(crate) mod selections;
pub(crate) mod value;
pub(crate) mod within;
mod words;
