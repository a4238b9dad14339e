//! Places for connections that last, shared out among callers, so that one caller cannot take all of them.

use parking_lot::Mutex;

/// A number of places, of which each caller can take some.
pub struct CallerPlaces {
    of_all: usize,
    of_one: usize,
    /// The callers who have a place.
    taken: Mutex<Vec<String>>,
}

/// A place, until this is dropped.
pub struct TakenPlace {
    places: &'static CallerPlaces,
    caller: String,
}

impl CallerPlaces {
    pub const fn new(of_all: usize, of_one: usize) -> CallerPlaces {
        CallerPlaces {
            of_all,
            of_one,
            taken: Mutex::new(Vec::new()),
        }
    }

    /// Takes a place. `None` if there is none for this caller.
    pub fn take(&'static self, caller: String) -> Option<TakenPlace> {
        let mut taken = self.taken.lock();
        let own = taken.iter().filter(|of| **of == caller).count();
        if taken.len() >= self.of_all || own >= self.of_one {
            return None;
        }
        taken.push(caller.clone());
        let places = self;
        Some(TakenPlace { places, caller })
    }
}

impl Drop for TakenPlace {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        if let Some(at) = taken.iter().position(|of| *of == self.caller) {
            taken.swap_remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_leaves_places_for_others() {
        static PLACES: CallerPlaces = CallerPlaces::new(3, 2);
        let take = |caller: &str| PLACES.take(caller.to_owned());
        let (first, second) = (take("a"), take("a"));
        assert!(first.is_some() && second.is_some() && take("a").is_none());
        let other = take("b");
        assert!(other.is_some() && take("b").is_none(), "all are taken");
        drop(first);
        assert!(take("b").is_some());
    }
}
