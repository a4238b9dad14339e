//! The environment of a process: the clock, entropy, threads for long work, and queues of such work.

pub mod queue;
pub mod surroundings;
