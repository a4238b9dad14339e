//! What a process has from outside: the clock, entropy, threads for long work, and queues of it.

pub mod queue;
pub mod surroundings;
