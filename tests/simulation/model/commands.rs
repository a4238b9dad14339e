//! The commands, as far as the store uses them. One that is missing here stops the simulation.

use std::collections::BTreeMap;

use super::data::{Data, Text, Value};
use super::resp::{Reply, bulk};
use super::slots::Reach;

/// A message on a channel.
pub struct Said {
    pub channel: Vec<u8>,
    pub text: Vec<u8>,
    /// Whether it is sent only on the servers of the channel's slot, in a cluster.
    pub is_sharded: bool,
}

/// The data that a command reads and changes.
pub struct Context<'a> {
    pub data: &'a mut Data,
    pub now_ms: u64,
    pub said: &'a mut Vec<Said>,
    pub written: &'a mut bool,
    /// Whether the answer depends on the time.
    pub has_seen_time: &'a mut bool,
    /// The keys that a script on a cluster may access.
    pub reach: Option<Reach>,
}

type Answer = Result<Reply, String>;

const NOT_LOCAL: &str = "ERR Script attempted to access a non local key in a cluster node";
const WRONG_TYPE: &str = "WRONGTYPE Operation against a key holding the wrong kind of value";

impl Context<'_> {
    pub fn run(&mut self, words: &[&[u8]]) -> Reply {
        self.answer(words).unwrap_or_else(Reply::Error)
    }

    fn answer(&mut self, words: &[&[u8]]) -> Answer {
        let is_there = |key: &[u8]| self.value(key).is_some();
        if self
            .reach
            .is_some_and(|reach| reach.refuses(words, is_there))
        {
            return Err(NOT_LOCAL.to_owned());
        }
        let (name, args) = (words[0], &words[1..]);
        match std::str::from_utf8(name).unwrap_or("?") {
            "PING" => Ok(Reply::Simple("PONG")),
            "TIME" => {
                *self.has_seen_time = true;
                Ok(Reply::Array(vec![
                    bulk((self.now_ms / 1000).to_string()),
                    bulk((self.now_ms % 1000 * 1000).to_string()),
                ]))
            }
            "GET" => self.get(args[0]),
            "SET" => self.set(args),
            "DEL" | "UNLINK" => Ok(Reply::Int(
                args.iter().filter(|key| self.remove(key)).count() as i64,
            )),
            "EXISTS" => {
                let count = args.iter().filter(|key| self.value(key).is_some()).count();
                Ok(Reply::Int(count as i64))
            }
            "PEXPIREAT" => self.expire(args[0], Some(number(args[1])?)),
            "PEXPIRE" => {
                let at = self.now_ms + number(args[1])?;
                self.expire(args[0], Some(at))
            }
            "PERSIST" => self.expire(args[0], None),
            "PTTL" => Ok(Reply::Int({
                *self.has_seen_time = true;
                match (self.value(args[0]), self.data.expiry(args[0])) {
                    (None, _) => -2,
                    (_, None) => -1,
                    (_, Some(at)) => at as i64 - self.now_ms as i64,
                }
            })),
            "INCR" => self.increment(args[0]),
            "HGET" => Ok(self
                .hash(args[0])?
                .map_or(Reply::Nil, |hash| one(hash.get(args[1])))),
            "HMGET" => {
                let hash = self.hash(args[0])?;
                let value = |field: &&[u8]| hash.map_or(Reply::Nil, |hash| one(hash.get(*field)));
                Ok(Reply::Array(args[1..].iter().map(value).collect()))
            }
            "HGETALL" => {
                let pairs = self.hash(args[0])?.into_iter().flatten();
                Ok(Reply::Map(
                    pairs
                        .flat_map(|(name, value)| [bulk(name), bulk(value)])
                        .collect(),
                ))
            }
            "HSET" => self.hash_set(args),
            "HDEL" => self.hash_remove(args),
            "HINCRBY" => self.hash_increment(args),
            "HLEN" => Ok(Reply::Int(
                self.hash(args[0])?.map_or(0, BTreeMap::len) as i64
            )),
            "XADD" => self.stream_add(args),
            "XRANGE" => self.stream_range(args),
            "XLEN" => Ok(Reply::Int(match self.value(args[0]) {
                None => 0,
                Some(Value::Stream(entries)) => entries.len() as i64,
                Some(_) => return Err(WRONG_TYPE.to_owned()),
            })),
            "ZADD" => self.sorted_add(args),
            "ZREM" => self.sorted_remove(args),
            "ZCARD" => Ok(Reply::Int(self.sorted(args[0])?.len() as i64)),
            "ZSCORE" => {
                let members = self.sorted(args[0])?;
                let score = members.iter().find(|(_, member)| **member == *args[1]);
                Ok(score.map_or(Reply::Nil, |(score, _)| bulk(score.to_string())))
            }
            "ZRANGEBYLEX" => self.by_name(args[0], args[1], args[2], &args[3..], false),
            "ZREVRANGEBYLEX" => self.by_name(args[0], args[2], args[1], &args[3..], true),
            "ZRANGEBYSCORE" => self.by_score(args[0], args[1], args[2], &args[3..]),
            "ZRANGE" => self.by_rank(args),
            "SCAN" => Ok(self.scan(args)),
            "PUBLISH" | "SPUBLISH" => {
                self.said.push(Said {
                    channel: args[0].to_vec(),
                    text: args[1].to_vec(),
                    is_sharded: name == b"SPUBLISH",
                });
                Ok(Reply::Int(0))
            }
            other => panic!(
                "the model of Redis does not know {other}: teach it, see tests/simulation/model"
            ),
        }
    }

    fn value(&self, key: &[u8]) -> Option<&Value> {
        self.data.value(key, self.now_ms)
    }

    /// Returns all keys in one step.
    fn scan(&self, args: &[&[u8]]) -> Reply {
        let [_, word, pattern, ..] = args else {
            panic!("SCAN without a pattern")
        };
        assert!(word.eq_ignore_ascii_case(b"MATCH"));
        let pattern = String::from_utf8_lossy(pattern).into_owned();
        let keys = self.data.keys(self.now_ms);
        let found = keys.filter(|key| matches(&pattern, &String::from_utf8_lossy(key)));
        Reply::Array(vec![bulk("0"), Reply::Array(found.map(bulk).collect())])
    }

    fn remove(&mut self, key: &[u8]) -> bool {
        let lived = self.value(key).is_some();
        let removed = self.data.remove(key);
        *self.written |= removed;
        lived
    }

    fn expire(&mut self, key: &[u8], at_ms: Option<u64>) -> Answer {
        let changed = self.data.expire(key, at_ms, self.now_ms);
        *self.written |= changed;
        Ok(Reply::Int(i64::from(changed)))
    }

    fn get(&self, key: &[u8]) -> Answer {
        match self.value(key) {
            None => Ok(Reply::Nil),
            Some(Value::Text(text)) => Ok(bulk(text)),
            Some(_) => Err(WRONG_TYPE.to_owned()),
        }
    }

    fn set(&mut self, args: &[&[u8]]) -> Answer {
        let (mut only_new, mut only_old, mut expiry) = (false, false, None);
        let mut options = args[2..].iter();
        while let Some(option) = options.next() {
            match option.to_ascii_uppercase().as_slice() {
                b"NX" => only_new = true,
                b"XX" => only_old = true,
                b"PX" => expiry = Some(self.now_ms + number(options.next().unwrap())?),
                b"PXAT" => expiry = Some(number(options.next().unwrap())?),
                other => panic!("SET … {}", String::from_utf8_lossy(other)),
            }
        }
        let exists = self.value(args[0]).is_some();
        if (only_new && exists) || (only_old && !exists) {
            return Ok(Reply::Nil);
        }
        self.data.put(args[0], Value::Text(args[1].into()));
        self.data.expire(args[0], expiry, self.now_ms);
        *self.written = true;
        Ok(Reply::Simple("OK"))
    }

    fn increment(&mut self, key: &[u8]) -> Answer {
        let before = match self.get(key)? {
            Reply::Bulk(text) => signed(&text)?,
            _ => 0,
        };
        let expiry = self.data.expiry(key);
        let text = (before + 1).to_string();
        self.data.put(key, Value::Text(text.as_bytes().into()));
        self.data.expire(key, expiry, self.now_ms);
        *self.written = true;
        Ok(Reply::Int(before + 1))
    }

    fn hash(&self, key: &[u8]) -> Result<Option<&BTreeMap<Text, Text>>, String> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Hash(fields)) => Ok(Some(fields)),
            Some(_) => Err(WRONG_TYPE.to_owned()),
        }
    }

    fn hash_mut(&mut self, key: &[u8]) -> Result<&mut BTreeMap<Text, Text>, String> {
        *self.written = true;
        let new = || Value::Hash(BTreeMap::new());
        match self.data.change(key, self.now_ms, new) {
            Value::Hash(fields) => Ok(fields),
            _ => Err(WRONG_TYPE.to_owned()),
        }
    }

    fn hash_set(&mut self, args: &[&[u8]]) -> Answer {
        let hash = self.hash_mut(args[0])?;
        let mut new = 0;
        for pair in args[1..].chunks_exact(2) {
            let before = hash.insert(pair[0].into(), pair[1].into());
            new += i64::from(before.is_none());
        }
        Ok(Reply::Int(new))
    }

    fn hash_remove(&mut self, args: &[&[u8]]) -> Answer {
        if self.hash(args[0])?.is_none() {
            return Ok(Reply::Int(0));
        }
        let hash = self.hash_mut(args[0])?;
        let gone = args[1..]
            .iter()
            .filter(|field| hash.remove(&field[..]).is_some())
            .count();
        self.data.tidy(args[0]);
        Ok(Reply::Int(gone as i64))
    }

    fn hash_increment(&mut self, args: &[&[u8]]) -> Answer {
        let by = signed(args[2])?;
        let hash = self.hash_mut(args[0])?;
        let before = hash.get(args[1]).map_or(Ok(0), |text| signed(text))?;
        let text = (before + by).to_string();
        hash.insert(args[1].into(), text.as_bytes().into());
        Ok(Reply::Int(before + by))
    }

    fn stream_add(&mut self, args: &[&[u8]]) -> Answer {
        let id = String::from_utf8_lossy(args[1]).into_owned();
        let number = id
            .strip_suffix("-0")
            .and_then(|first| first.parse().ok())
            .unwrap();
        let new = || Value::Stream(BTreeMap::new());
        let Value::Stream(entries) = self.data.change(args[0], self.now_ms, new) else {
            return Err(WRONG_TYPE.to_owned());
        };
        if entries
            .last_key_value()
            .is_some_and(|(last, _)| *last >= number)
        {
            return Err(
                "ERR The ID specified in XADD is equal or smaller than the target stream top item"
                    .to_owned(),
            );
        }
        entries.insert(
            number,
            args[2..].iter().map(|word| (*word).into()).collect(),
        );
        *self.written = true;
        Ok(bulk(id))
    }

    fn stream_range(&self, args: &[&[u8]]) -> Answer {
        let entries = match self.value(args[0]) {
            None => return Ok(Reply::Array(Vec::new())),
            Some(Value::Stream(entries)) => entries,
            Some(_) => return Err(WRONG_TYPE.to_owned()),
        };
        let edge = |word: &[u8], open: u64| match word {
            b"-" | b"+" => open,
            word => String::from_utf8_lossy(word)
                .split('-')
                .next()
                .unwrap()
                .parse()
                .unwrap(),
        };
        let (from, to) = (edge(args[1], 0), edge(args[2], u64::MAX));
        let limit = match args.get(4) {
            Some(count) => number(count)? as usize,
            None => usize::MAX,
        };
        if from > to {
            return Ok(Reply::Array(Vec::new()));
        }
        let found = entries.range(from..=to).take(limit);
        let show = |(id, fields): (&u64, &Vec<Text>)| {
            let fields = fields.iter().map(bulk).collect();
            Reply::Array(vec![bulk(format!("{id}-0")), Reply::Array(fields)])
        };
        Ok(Reply::Array(found.map(show).collect()))
    }

    /// Returns the scores and members of a sorted set, in order.
    fn sorted(&self, key: &[u8]) -> Result<Vec<(f64, Text)>, String> {
        let members = match self.value(key) {
            None => return Ok(Vec::new()),
            Some(Value::Sorted(members)) => members,
            Some(_) => return Err(WRONG_TYPE.to_owned()),
        };
        let mut sorted: Vec<_> = members
            .iter()
            .map(|(member, score)| (*score, member.clone()))
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        Ok(sorted)
    }

    fn sorted_add(&mut self, args: &[&[u8]]) -> Answer {
        let mut pairs = &args[1..];
        let (mut only_new, mut only_old, mut less, mut greater, mut changed) =
            (false, false, false, false, false);
        while let [option, rest @ ..] = pairs {
            match option.to_ascii_uppercase().as_slice() {
                b"NX" => only_new = true,
                b"XX" => only_old = true,
                b"LT" => less = true,
                b"GT" => greater = true,
                b"CH" => changed = true,
                _ => break,
            }
            pairs = rest;
        }
        let new = || Value::Sorted(BTreeMap::new());
        let Value::Sorted(members) = self.data.change(args[0], self.now_ms, new) else {
            return Err(WRONG_TYPE.to_owned());
        };
        let mut count = 0;
        for pair in pairs.chunks_exact(2) {
            let score: f64 = String::from_utf8_lossy(pair[0]).parse().unwrap();
            let before = members.get(pair[1]).copied();
            let wanted = match before {
                None => !only_old,
                Some(before) => {
                    let is_unfit =
                        only_new || less && score >= before || greater && score <= before;
                    !is_unfit && score != before
                }
            };
            if wanted {
                members.insert(pair[1].into(), score);
                *self.written = true;
                count += i64::from(before.is_none() || changed);
            }
        }
        self.data.tidy(args[0]);
        Ok(Reply::Int(count))
    }

    fn sorted_remove(&mut self, args: &[&[u8]]) -> Answer {
        if self.value(args[0]).is_none() {
            return Ok(Reply::Int(0));
        }
        let new = || Value::Sorted(BTreeMap::new());
        let Value::Sorted(members) = self.data.change(args[0], self.now_ms, new) else {
            return Err(WRONG_TYPE.to_owned());
        };
        let gone = args[1..]
            .iter()
            .filter(|member| members.remove(&member[..]).is_some())
            .count();
        *self.written |= gone > 0;
        self.data.tidy(args[0]);
        Ok(Reply::Int(gone as i64))
    }

    fn by_name(&self, key: &[u8], low: &[u8], high: &[u8], rest: &[&[u8]], down: bool) -> Answer {
        let above = |member: &[u8]| match low {
            b"-" => true,
            [b'(', low @ ..] => member > low,
            [b'[', low @ ..] => member >= low,
            _ => panic!("an edge of ZRANGEBYLEX"),
        };
        let below = |member: &[u8]| match high {
            b"+" => true,
            [b'(', high @ ..] => member < high,
            [b'[', high @ ..] => member <= high,
            _ => panic!("an edge of ZRANGEBYLEX"),
        };
        let mut found = self.sorted(key)?;
        found.retain(|(_, member)| above(member) && below(member));
        if down {
            found.reverse();
        }
        let (skip, take) = limit(rest)?;
        Ok(Reply::Array(
            found
                .iter()
                .skip(skip)
                .take(take)
                .map(|(_, member)| bulk(member))
                .collect(),
        ))
    }

    fn by_score(&self, key: &[u8], low: &[u8], high: &[u8], rest: &[&[u8]]) -> Answer {
        let edge = |word: &[u8]| {
            let text = String::from_utf8_lossy(word).into_owned();
            let (is_open, text) = match text.strip_prefix('(') {
                Some(rest) => (true, rest.to_owned()),
                None => (false, text),
            };
            (is_open, text.parse::<f64>().unwrap())
        };
        let ((low_open, low), (high_open, high)) = (edge(low), edge(high));
        let mut found = self.sorted(key)?;
        found.retain(|(score, _)| {
            (*score > low || (*score == low && !low_open))
                && (*score < high || (*score == high && !high_open))
        });
        let with_scores = rest
            .iter()
            .any(|word| word.eq_ignore_ascii_case(b"WITHSCORES"));
        let from = rest
            .iter()
            .position(|word| word.eq_ignore_ascii_case(b"LIMIT"));
        let (skip, take) = limit(from.map_or(&[], |from| &rest[from..]))?;
        Ok(show(found.into_iter().skip(skip).take(take), with_scores))
    }

    fn by_rank(&self, args: &[&[u8]]) -> Answer {
        if args
            .iter()
            .any(|word| word.eq_ignore_ascii_case(b"BYSCORE"))
        {
            let rest: Vec<&[u8]> = args[3..]
                .iter()
                .filter(|word| !word.eq_ignore_ascii_case(b"BYSCORE"))
                .copied()
                .collect();
            return self.by_score(args[0], args[1], args[2], &rest);
        }
        let found = self.sorted(args[0])?;
        let place = |word: &[u8]| {
            let at = signed(word)?;
            Ok::<i64, String>(if at < 0 { at + found.len() as i64 } else { at })
        };
        let (from, to) = (place(args[1])?.max(0) as usize, place(args[2])?);
        let count = usize::try_from(to + 1 - from as i64).unwrap_or(0);
        let with_scores = args[3..]
            .iter()
            .any(|word| word.eq_ignore_ascii_case(b"WITHSCORES"));
        let part = found.clone().into_iter().skip(from).take(count);
        Ok(show(part, with_scores))
    }
}

fn show(found: impl Iterator<Item = (f64, Text)>, with_scores: bool) -> Reply {
    let words = found.flat_map(|(score, member)| {
        let score = with_scores.then(|| bulk(score.to_string()));
        std::iter::once(bulk(member)).chain(score)
    });
    Reply::Array(words.collect())
}

fn limit(rest: &[&[u8]]) -> Result<(usize, usize), String> {
    match rest {
        [] => Ok((0, usize::MAX)),
        [word, skip, take] if word.eq_ignore_ascii_case(b"LIMIT") => {
            let take = signed(take)?;
            Ok((
                number(skip)? as usize,
                usize::try_from(take).unwrap_or(usize::MAX),
            ))
        }
        _ => panic!("what a range is asked with"),
    }
}

fn one(value: Option<&Text>) -> Reply {
    value.map_or(Reply::Nil, bulk)
}

fn number(text: &[u8]) -> Result<u64, String> {
    let number = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok());
    number.ok_or_else(|| "ERR value is not an integer or out of range".to_owned())
}

fn signed(text: &[u8]) -> Result<i64, String> {
    let number = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.parse().ok());
    number.ok_or_else(|| "ERR value is not an integer or out of range".to_owned())
}

/// Returns whether a text matches a pattern in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|text| {
            let ends = text.char_indices().map(|(at, _)| at);
            ends.chain([text.len()])
                .any(|at| matches(rest, &text[at..]))
        }),
    }
}
