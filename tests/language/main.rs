//! The meaning of the language: small games, compiled and played.
#![cfg(test)]
#![expect(clippy::disallowed_methods, reason = "tests look at the whole game")]

mod alike;
mod at_once;
mod boards;
mod bundles;
mod cards;
mod code;
mod connected;
mod courses;
mod decisions;
mod directions;
mod edges;
mod effects;
mod faults;
mod grids;
mod handlers;
mod hexagons;
mod knowing;
mod lines;
mod listed;
mod masks;
mod members;
mod needed;
mod outlines;
mod paths;
mod play;
mod positions;
mod random;
mod records;
mod refusals;
mod resigning;
mod searched;
mod selections;
mod sequences;
mod shuffled;
mod tables;
mod triggers;
mod values;
mod ways;
mod what_ifs;
mod windows;
