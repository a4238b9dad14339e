//! Inspects the data of the server directly: reads through the store do not show list entries that no session claims any
//! more, so they would never reveal leftovers.

use std::collections::{BTreeMap, BTreeSet};

use super::data::{Data, Text, Value};
use super::server::Server;

/// The lists that only nodes read, named as in `places.lua`.
const TIMED: [&str; 7] = ["t", "b", "w", "d", "l", "f", "e"];
/// The list of sessions that expire while people can see them.
const MORTAL: &str = "z";

/// The members of lists, by the key of the list.
type Lists = BTreeMap<String, BTreeSet<String>>;

impl Server {
    /// Returns the contradictions between lists, expiries and sessions.
    pub fn contradictions(&self, now_ms: u64) -> Vec<String> {
        let mut found = Vec::new();
        let mut expected = Lists::new();
        let mut actual = Lists::new();
        for key in self.data().keys(now_ms) {
            match self.data().value(key, now_ms) {
                Some(Value::Hash(fields)) if is_session(key) && is_there(fields) => {
                    claim(key, fields, &mut expected);
                    found.extend(wrong_expiries(self.data(), key, fields));
                }
                Some(Value::Sorted(members)) => {
                    let members = members.keys().map(text).collect();
                    actual.insert(text(key), members);
                }
                _ => found.extend(self.left_over(key, now_ms)),
            }
        }
        for key in expected
            .keys()
            .chain(actual.keys())
            .collect::<BTreeSet<_>>()
        {
            let none = BTreeSet::new();
            let (claimed, there) = (
                expected.get(key).unwrap_or(&none),
                actual.get(key).unwrap_or(&none),
            );
            for member in there.difference(claimed) {
                found.push(format!(
                    "{member:?} stands in {key}, and no session claims it"
                ));
            }
            for member in claimed.difference(there) {
                found.push(format!(
                    "{member:?} is claimed, and does not stand in {key}"
                ));
            }
        }
        found
    }

    /// The last moment of a list that only nodes look at: a place in it stays until then, also if its session has expired.
    pub fn last_due(&self, now_ms: u64) -> Option<u64> {
        let data = self.data();
        let members = data.keys(now_ms).flat_map(|key| {
            let is_timed = TIMED
                .iter()
                .any(|list| text(key).ends_with(&format!("}}{list}")));
            match data.value(key, now_ms).filter(|_| is_timed) {
                Some(Value::Sorted(members)) => members.keys().map(text).collect(),
                _ => Vec::new(),
            }
        });
        let moment = |member: String| u64::from_str_radix(member.get(..16)?, 16).ok();
        members.filter_map(moment).max()
    }
}

impl Server {
    /// Returns a problem if a key of a session that is gone is left. For a removed session, a key that reserves its name
    /// may remain.
    fn left_over(&self, key: &Text, now_ms: u64) -> Option<String> {
        let key = text(key);
        let (tag, rest) = key.split_once('}')?;
        let (kind, id) = rest.split_once(':')?;
        if !["e", "i", "k"].contains(&kind) {
            return None;
        }
        let hash = format!("{tag}}}s:{id}");
        let session = self.data().value(hash.as_bytes(), now_ms);
        let is_there = matches!(session, Some(Value::Hash(fields)) if is_there(fields));
        (!is_there).then(|| format!("{key} is left of a session that is gone"))
    }
}

/// Returns whether a hash belongs to a session, and is not the remainder of a removed one.
fn is_there(fields: &BTreeMap<Text, Text>) -> bool {
    fields.contains_key(&b"r"[..])
}

fn text(bytes: &Text) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn is_session(key: &Text) -> bool {
    text(key).contains("}s:")
}

fn field(fields: &BTreeMap<Text, Text>, name: &str) -> String {
    fields.get(name.as_bytes()).map(text).unwrap_or_default()
}

/// Adds the lists in which a session claims to be.
fn claim(key: &Text, fields: &BTreeMap<Text, Text>, lists: &mut Lists) {
    let key = text(key);
    let (tag, id) = key.split_once("s:").unwrap();
    let mut place = |index: &str, member: String| {
        lists
            .entry(format!("{tag}{index}"))
            .or_default()
            .insert(member);
    };
    let mut shown = String::new();
    for line in field(fields, "l").lines() {
        let (index, score) = line.split_once(' ').unwrap();
        place(index, format!("{score}{id}"));
        if !TIMED.contains(&index) {
            shown += &format!("{line}\n");
        }
    }
    if let (Ok(expiry), false) = (field(fields, "x").parse::<u64>(), shown.is_empty()) {
        place(MORTAL, format!("{expiry:016x}{id} {shown}"));
    }
}

/// Returns the keys of a session that do not expire with it.
fn wrong_expiries(data: &Data, key: &Text, fields: &BTreeMap<Text, Text>) -> Vec<String> {
    let expiry = field(fields, "x").parse().ok();
    let key = text(key);
    let of_session = ["s:", "e:", "i:", "k:"].map(|kind| key.replacen("s:", kind, 1));
    let wrong = of_session.iter().filter(|key| {
        let key = key.as_bytes();
        data.holds(key) && data.expiry(key) != expiry
    });
    wrong
        .map(|key| format!("{key} does not go when its session goes"))
        .collect()
}
