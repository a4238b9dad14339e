//! Records what all players did and were answered, and decides whether a correct store could have given all of these
//! answers.

use std::collections::{BTreeMap, BTreeSet};

use wyrmgate::store::{ChangeEntry, ChangeMark, Digest, Position, Recorded, SessionRecord};

/// One attempt to change a session. A change is known by its mark; no two attempts have the same.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub session: String,
    pub key: Option<Digest>,
    pub is_public: bool,
    pub outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There was no answer.
    Unknown,
    Done(Position),
    /// Another change was first, or the store answered that nothing was written.
    Refused,
}

/// Everything that was visible from outside.
#[derive(Default)]
pub struct History {
    pub attempts: BTreeMap<ChangeMark, Attempt>,
    /// The keys, with the marks of the changes that they were said to have made.
    pub replays: Vec<(String, Digest, Recorded)>,
    pub problems: Vec<String>,
}

/// The final state of a session.
pub struct Final {
    pub session: String,
    /// The marks of all its changes in order, including secret ones: each change appends its mark to the state that it
    /// has read.
    pub chain: Vec<ChangeMark>,
    pub record: SessionRecord,
    pub log: Vec<ChangeEntry>,
}

impl History {
    pub fn problem(&mut self, what: impl Into<String>) {
        self.problems.push(what.into());
    }

    pub fn attempt(
        &mut self,
        mark: ChangeMark,
        session: &str,
        key: Option<Digest>,
        is_public: bool,
    ) {
        let attempt = Attempt {
            session: session.to_owned(),
            key,
            is_public,
            outcome: Outcome::Unknown,
        };
        if self.attempts.insert(mark, attempt).is_some() {
            self.problem(format!("two attempts have the mark {mark}"));
        }
    }

    pub fn outcome(&mut self, mark: ChangeMark, outcome: Outcome) {
        if let Some(attempt) = self.attempts.get_mut(&mark) {
            attempt.outcome = outcome;
        }
    }

    /// Checks a session by its final state. `lost` has the changes that a fault has removed. Once a server `has_lost`
    /// something, a command that it refused can be repeated and accepted, because the earlier state is back.
    pub fn judge(
        &mut self,
        end: &Final,
        lost: &BTreeSet<ChangeMark>,
        may_lose: bool,
        has_lost: bool,
    ) {
        let mut problems = Vec::new();
        let mut say = |what: String| problems.push(format!("{}: {what}", end.session));
        let place: BTreeMap<ChangeMark, u64> = end.chain.iter().copied().zip(1..).collect();
        if place.len() != end.chain.len() {
            say(format!(
                "a change has had its effect twice: {:?}",
                texts(&end.chain)
            ));
        }
        if end.record.position.revision != end.chain.len() as u64 {
            say(format!(
                "{} changes have led to revision {}: one was made from another past than it named",
                end.chain.len(),
                end.record.position.revision
            ));
        }
        self.judge_log(end, &place, &mut say);
        let mut effects: BTreeMap<Digest, ChangeMark> = BTreeMap::new();
        for mark in &end.chain {
            let Some(attempt) = self.attempts.get(mark) else {
                say(format!("nobody has made the change {mark}"));
                continue;
            };
            if attempt.outcome == Outcome::Refused && !has_lost {
                say(format!("{mark} was refused, and is there"));
            }
            if let Some(other) = attempt.key.and_then(|key| effects.insert(key, *mark)) {
                say(format!("{other} and {mark} are two effects of one key"));
            }
        }
        for (mark, attempt) in self
            .attempts
            .iter()
            .filter(|(_, attempt)| attempt.session == end.session)
        {
            let Outcome::Done(position) = attempt.outcome else {
                continue;
            };
            match place.get(mark) {
                Some(revision) if *revision == position.revision => {}
                Some(revision) => say(format!(
                    "{mark} was said to be revision {}, and is {revision}",
                    position.revision
                )),
                None if lost.contains(mark) && may_lose => {}
                None if lost.contains(mark) => say(format!(
                    "{mark} was acknowledged and did not survive what it should have"
                )),
                None => say(format!(
                    "{mark} was acknowledged as {position:?}, and is not there"
                )),
            }
            let logged = end.log.get((position.version as usize).wrapping_sub(1));
            let is_logged = logged.is_some_and(|entry| entry.mark == *mark);
            if attempt.is_public && !is_logged && !lost.contains(mark) {
                say(format!(
                    "{mark} was said to be version {}, which is another's",
                    position.version
                ));
            }
        }
        for (session, key, recorded) in &self.replays {
            let mark = mark_in(&recorded.answer);
            let is_here = *session == end.session && !lost.contains(&mark);
            if is_here && effects.get(key) != Some(&mark) {
                say(format!(
                    "a retry was told of {mark}, which has had no effect"
                ));
            }
        }
        self.problems.extend(problems);
    }

    fn judge_log(
        &self,
        end: &Final,
        place: &BTreeMap<ChangeMark, u64>,
        say: &mut impl FnMut(String),
    ) {
        let mut before = 0;
        for (entry, version) in end.log.iter().zip(1..) {
            let revision = place.get(&entry.mark).copied();
            if entry.version != version {
                say(format!(
                    "the log goes on with version {} where {version} is due",
                    entry.version
                ));
            }
            match revision {
                Some(revision) if revision > before => before = revision,
                Some(_) => say(format!("version {version} is older than the one before it")),
                None => say(format!(
                    "version {version} is of {}, whose effect is not there",
                    entry.mark
                )),
            }
        }
        let last = end.log.last().map(|entry| entry.mark);
        if last.is_some_and(|last| last != end.record.version_mark) {
            say(format!(
                "the last version is {last:?}'s, and called {}",
                end.record.version_mark
            ));
        }
        let public = end.chain.iter().filter_map(|mark| self.attempts.get(mark));
        let public = public.filter(|attempt| attempt.is_public).count();
        if public != end.log.len() || end.record.position.version != end.log.len() as u64 {
            say(format!(
                "{public} public changes, {} entries, version {}",
                end.log.len(),
                end.record.position.version
            ));
        }
    }
}

/// Returns the mark with which an answer was recorded.
pub fn mark_in(answer: &[u8]) -> ChangeMark {
    std::str::from_utf8(answer).unwrap().parse().unwrap()
}

fn texts(marks: &[ChangeMark]) -> Vec<String> {
    marks.iter().map(ChangeMark::to_string).collect()
}

/// The entries of one session that one listener has seen, without gaps.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub seen: Vec<(u64, ChangeMark)>,
}

impl Line {
    pub fn version(&self) -> u64 {
        self.seen.last().map_or(0, |(version, _)| *version)
    }

    /// Adds the entries that a listener reads from its last entry on; fails if that entry is gone or another one is
    /// missing.
    pub fn extend(&mut self, entries: &[ChangeEntry]) -> Result<(), Break> {
        let mut entries = entries.iter();
        if let Some((version, mark)) = self.seen.last() {
            match entries.next() {
                Some(first) if (first.version, first.mark) == (*version, *mark) => {}
                _ => return Err(Break::Rewritten),
            }
        }
        for entry in entries {
            if entry.version != self.version() + 1 {
                return Err(Break::Gap(format!(
                    "version {} after {}",
                    entry.version,
                    self.version()
                )));
            }
            self.seen.push((entry.version, entry.mark));
        }
        Ok(())
    }
}

#[derive(Debug)]
pub enum Break {
    /// The entry shown last is not in the log any more.
    Rewritten,
    Gap(String),
}
