//! Programs as machine code, for play that nobody watches: [`crate::Runner`].
//!
//! The quick form of a program's operations becomes one function for each effect. What the translator knows is code in
//! place that works on the words of the state; whatever it does not know is a call of the interpreter. So everything
//! can be played from the first, and what is asked often enough gets code of its own.
//!
//! **Exactly as the interpreter.** Machine code never says what is wrong. Where a number would not fit, or where work or
//! events come near their limits, it gives up; so does whatever it calls. The runner then begins the
//! game again and lets the interpreter play it, by the numbers of the choices taken so far: that finds out whether there
//! is something wrong, and where. Work is counted at least as high as there: both sides of a branch, the right side of
//! an `and` that was not looked at. So machine code gives up before the interpreter would, never after.
//!
//! **Unsafe code** stands on these invariants:
//!
//! - *One context*: machine code gets one pointer to one [`context::Context`], and passes on no other. While it or a
//!   helper runs, the driver does not touch what the pointer leads to.
//! - *The machine waits*: the context leads to what the driver borrows for the move and lends to helpers, of which they make
//!   a machine, and to the words, stack and temps of that machine. They are looked up again after everything that could
//!   have moved them.
//! - *All slots are there*: code of an effect is entered only where the whole frame of that effect lies on the stack.
//!   Only calls and returns change that, and both leave the function. While code or a helper runs, the context says where
//!   the frame begins.
//! - *Words as the layout says*: code is run only on states with as many words as the layout it was made for; numbers
//!   of components, zones and indexes are compared with their bounds before they lead to a word, as the interpreter
//!   does; tables and facts belong to the program and the code, and outlive the run.
//! - *Room for members*: the buffer has room for as many members as code puts there before it gives up.
//! - *The table is the memo's*: the table of an open grid is the scratch's, which keeps it until something on a grid
//!   changes; code compares the count of these changes before it looks there.
//! - *Room for rows*: code puts choices only into rows between the first and the last of the driver's, which stay where
//!   they are as long as the driver is there; it gives up before there is one more.
//! - *No more known than there is room for*: of the numbers made ahead, code reads only those that are known, and these all
//!   lie in the context.
//! - *Regions are apart*: what code reaches as a part of the context, as a count of changes or as other memory, it never
//!   reaches as another of these, see [`regions`].
//! - *The machine can*: a function made for certain instructions is called only where the machine has said that it has them.
//! - *Code is entered through its owner*: its memory is given back when that is dropped, with all pointers to it.
//! - *Code has this signature*: every function is declared as [`code::Function`].
#![expect(
    unsafe_code,
    reason = "machine code is called and calls back; see the invariants above"
)]

mod ahead;
mod asked;
mod bits;
mod call;
mod choose;
mod code;
mod context;
mod course;
mod cycle;
mod define;
mod each;
mod emit;
mod ending;
mod expr;
mod facts;
mod gather;
mod grid;
mod groups;
mod helper;
mod kept;
mod kinds;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod lent;
mod line;
mod list_helper;
mod lists;
mod look;
mod mask;
mod members;
mod menu;
mod named;
mod number;
mod op;
mod random;
mod regions;
mod row;
mod rows;
mod run;
mod seen;
mod select;
mod slots;
mod stack;
mod stretch;
mod taking;
mod variables;
mod walk;
mod words;

pub(super) use run::{Native, Noted};
