//! Sessions that somebody removes while others work on them, and what must hold from then on.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::plan::SHORT_LIFE;
use crate::world::World;

/// Which sessions somebody removes.
#[derive(Default)]
pub struct Removals {
    /// Somebody has tried.
    begun: RefCell<BTreeSet<String>>,
    /// Somebody was told that it is gone.
    done: RefCell<BTreeSet<String>>,
}

impl Removals {
    pub fn begin(&self, session: &str) {
        self.begun.borrow_mut().insert(session.to_owned());
    }

    pub fn end(&self, session: &str) {
        self.done.borrow_mut().insert(session.to_owned());
    }

    /// Whether it may be gone.
    pub fn has_begun(&self, session: &str) -> bool {
        self.begun.borrow().contains(session)
    }

    fn is_done(&self, session: &str) -> bool {
        self.done.borrow().contains(session)
    }
}

impl World {
    /// Whether a session may be gone: somebody removes it, or it is forgotten soon.
    pub fn may_be_gone(&self, session: &str) -> bool {
        self.removals.has_begun(session) || self.plan.lifetime == SHORT_LIFE
    }

    /// Whether a session must be gone: somebody was told so, and no server has lost what it had written.
    pub fn is_removed(&self, session: &str) -> bool {
        self.removals.is_done(session) && !self.servers.has_fallen_back()
    }

    /// Notes that a session which must be gone has answered; `was_removed` says whether that held before it was asked.
    pub fn came_back(&self, session: &str, was_removed: bool, what: &str) {
        if was_removed && self.is_removed(session) {
            self.problem(format!("{session} was removed, and {what}"));
        }
    }
}
