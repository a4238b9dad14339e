//! The positions to which what-ifs return, saved as copies.

use wyrmgate_engine::limit::WHAT_IF_DEPTH_MAX;

/// The maximum number of arguments.
pub(crate) const ARGUMENTS_MAX: usize = 8;

const LEVELS: usize = WHAT_IF_DEPTH_MAX as usize;

/// The saved positions to which what-ifs return, and the memory for the code of their effects.
pub(crate) struct Supposing {
    /// The number of buffers of the code of an effect.
    pub buffers: usize,
    saved: [Saved; LEVELS],
    pub level: usize,
}

pub(crate) struct Saved {
    pub words: Vec<i32>,
    /// Buffers for the code of the effect; see [`crate::memory::context::Context::members`].
    pub members: Vec<i32>,
    pub events: i64,
    /// The buffers of the code that asks: the first and the last ones.
    pub callers: [*mut i32; 2],
    pub is_remembering: bool,
}

impl Saved {
    fn new() -> Saved {
        Saved {
            words: Vec::new(),
            members: Vec::new(),
            events: 0,
            callers: [std::ptr::null_mut(); 2],
            is_remembering: false,
        }
    }
}

impl Supposing {
    pub fn new(buffers: usize) -> Supposing {
        Supposing {
            buffers,
            saved: std::array::from_fn(|_| Saved::new()),
            level: 0,
        }
    }

    /// Forgets all what-ifs, because a move begins.
    pub fn reset(&mut self) {
        self.level = 0;
    }

    /// Returns the position that was saved last.
    pub fn saved(&mut self) -> Option<&mut Saved> {
        let level = self.level.checked_sub(1)?;
        self.saved.get_mut(level)
    }
}
