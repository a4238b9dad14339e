#![doc = include_str!("../README.md")]
#![expect(
    unsafe_code,
    reason = "machine code is called and calls back; see the invariants in README.md"
)]

mod choices;
mod driver;
mod events;
mod facts;
mod function;
mod left;
mod lists;
mod masks;
mod memory;
mod searches;
mod selections;
mod translation;
mod translator;
mod values;
mod what_if;

pub use driver::run::{Native, NotedChoices};
pub use left::{LeftLine, Statement, left_to_interpreter};
pub use translation::{Translation, is_on, use_machine_code};
pub use translator::notes::Part;
