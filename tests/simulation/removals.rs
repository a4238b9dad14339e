//! Sessions that one player removes while others work on them, and the checks from then on.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::plan::SHORT_LIFE;
use crate::world::World;

/// The sessions that are being removed.
#[derive(Default)]
pub struct Removals {
    /// Sessions whose removal was attempted.
    begun: RefCell<BTreeSet<String>>,
    /// Sessions whose removal was confirmed.
    done: RefCell<BTreeSet<String>>,
}

impl Removals {
    pub fn begin(&self, session: &str) {
        self.begun.borrow_mut().insert(session.to_owned());
    }

    pub fn end(&self, session: &str) {
        self.done.borrow_mut().insert(session.to_owned());
    }

    /// Returns whether a removal was attempted.
    pub fn has_begun(&self, session: &str) -> bool {
        self.begun.borrow().contains(session)
    }

    fn is_done(&self, session: &str) -> bool {
        self.done.borrow().contains(session)
    }
}

impl World {
    /// Returns whether a session may be gone: it is being removed, or expires soon.
    pub fn may_be_gone(&self, session: &str) -> bool {
        self.removals.has_begun(session) || self.plan.lifetime == SHORT_LIFE
    }

    /// Returns whether a session must be gone: its removal was confirmed, and no server has lost writes.
    pub fn is_removed(&self, session: &str) -> bool {
        self.removals.is_done(session) && !self.servers.has_fallen_back()
    }

    /// Reports that a session that must be gone has answered. `was_removed`: whether it had to be gone before the
    /// request.
    pub fn came_back(&self, session: &str, was_removed: bool, what: &str) {
        if was_removed && self.is_removed(session) {
            self.problem(format!("{session} was removed, and {what}"));
        }
    }
}
