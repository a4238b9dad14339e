//! Programs as machine code, for play that nobody observes: [`crate::Runner`].
//!
//! The optimized operations of a program become one function per effect. Everything that the translator supports is
//! inline code on the words of the state; everything else calls the interpreter. Therefore every program can run, and
//! only frequent operations need code of their own.
//!
//! **Same results as the interpreter.** Machine code never reports errors. If a number would not fit, or if work or
//! events approach their limits, it gives up; so does everything it calls. The runner then restarts the game and lets
//! the interpreter replay it by the numbers of the choices taken so far, which finds the fault and its location, if
//! there is one. Machine code never counts less work than the interpreter: it counts both sides of a branch, and the
//! right side of an `and` that was not evaluated. It therefore gives up before the interpreter would, never after.
//!
//! **Unsafe code** relies on these invariants:
//!
//! - *One context*: machine code receives one pointer to one [`context::Context`], and passes on no other. While code
//!   or a helper runs, the driver does not touch what the pointer refers to.
//! - *The machine waits*: the context refers to what the driver borrows for the move and lends to helpers, from which
//!   they create a machine, and to the words, stack and temps of that machine. These are looked up again after
//!   everything that could have moved them.
//! - *All slots are there*: the code of an effect is entered only if the whole frame of that effect lies on the stack.
//!   Only calls and returns change that. A return leaves the function; after a call, the function goes on only if the
//!   effect that was called has returned to it. While code or a helper runs, the context says where the frame begins.
//! - *Memory above the top*: code raises the top of the stack only within the memory that the context states, writes all
//!   words of the new frame or list, and stores the top where the state keeps it.
//! - *Words as the layout says*: code runs only on states with as many words as the layout it was generated for;
//!   numbers of components, zones and indexes are checked against their bounds before they lead to a word, as in the
//!   interpreter; tables and facts belong to the program and the code, and outlive the run.
//! - *Room for members*: the buffer has room for as many members as code stores there before it gives up; a query that
//!   uses itself gets buffers of its own only if all that a function can use lie before the end.
//! - *The table is the memo's*: the table of an open grid belongs to the scratch, which keeps it until something on a
//!   grid changes; code compares the count of these changes before it reads the table.
//! - *Room for rows*: code stores choices only in rows between the first and the last of the driver's, which stay in
//!   place for the lifetime of the driver; it gives up before there is one more.
//! - *No more known than there is room for*: of the numbers computed ahead, code reads only those that are known, and
//!   all of these lie in the context.
//! - *What the driver owns waits*: the driver owns the memory of what-ifs and positions, and does not touch it while code
//!   or a helper runs; helpers use it one after the other.
//! - *Room for old words*: code stores old words of what-ifs only between the first and the last of the driver's; it
//!   gives up before there is one more. What is put back are words of the same state, in the same place.
//! - *Regions are apart*: memory that code accesses as a part of the context, as a change count or as other memory is
//!   never accessed as another of these, see [`regions`].
//! - *Trails hold members*: a trail consists of members that a search for the same has marked, so they are below the bound of
//!   its marks, and code need not check them again.
//! - *Parents come first*: a search that keeps its path or a trail stores at each place of its queue the place from which
//!   the member was discovered, which is lower, and passes on only places that it has filled.
//! - *The machine can*: a function compiled for certain instructions is called only if the machine has reported that it
//!   supports them.
//! - *Finished code is only read*: after translation, nothing changes code or the program and facts to which it refers,
//!   and both are freed together; what it writes belongs to a context, and every game that is played has its own.
//! - *Code is entered through its owner*: its memory is freed when the owner is dropped, with all pointers to it.
//! - *Code has this signature*: every function that the driver enters is declared as [`code::Function`]. Functions of
//!   queries are called by code only.
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
mod described;
mod detour;
mod discovery;
mod each;
mod emit;
mod ending;
mod expr;
mod facts;
mod gather;
mod grid;
mod groups;
mod handling;
mod helper;
mod hoisted;
mod inlined;
mod invariant;
mod kept;
mod keys;
mod kinds;
mod known_position;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod left;
mod lent;
mod line;
mod list_helper;
mod lists;
mod look;
mod marked;
mod mask;
mod members;
mod menu;
mod moving;
mod named;
mod nearby;
mod number;
mod once;
mod op;
mod path;
mod positions;
mod random;
mod ranges;
mod recursion;
mod regions;
mod relation;
mod reset;
mod row;
mod rows;
mod run;
mod search;
mod seen;
mod select;
mod selection_helper;
mod selections;
mod showing;
mod shuffle;
mod slots;
mod stack;
mod straight;
mod stretch;
mod suppose;
mod table;
mod taking;
mod trail;
mod translation;
mod undo;
mod untouched;
mod variables;
mod walk;
mod words;

pub use left::{LeftLine, Part, Statement, left_to_interpreter};
pub(super) use run::{Native, Noted};
pub use translation::use_machine_code;
pub(super) use translation::{Translation, is_on};
