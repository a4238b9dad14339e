//! Runs the scripts of the store with the Lua version of Redis.

use std::cell::RefCell;
use std::mem::take;
use std::rc::Rc;

use mlua::{BString, Function, Lua, MultiValue, Table, Value};

use super::commands::{Context, Said};
use super::data::Data;
use super::resp::{Reply, bulk};
use super::slots::Reach;

thread_local! {
    static MACHINE: Machine = Machine::new();
    static DIGESTS: RefCell<Vec<(String, Rc<str>)>> = RefCell::default();
    /// The data that the running script accesses.
    static RUNNING: RefCell<Running> = RefCell::default();
}

#[derive(Default)]
struct Running {
    data: Data,
    now_ms: u64,
    said: Vec<Said>,
    written: bool,
    has_seen_time: bool,
    reach: Option<Reach>,
}

struct Machine {
    lua: Lua,
    /// The compiled scripts with their texts, because compiling takes longer than running. There are so few that
    /// comparing is faster than hashing.
    compiled: RefCell<Vec<(String, Function)>>,
}

/// Returns the digest of a text. There are few texts, and working it out takes longer than comparing them.
pub fn digest(text: &str) -> Rc<str> {
    DIGESTS.with_borrow_mut(|known| {
        if let Some((_, digest)) = known.iter().find(|(other, _)| other == text) {
            return digest.clone();
        }
        let digest: Rc<str> = redis::Script::new(text).get_hash().into();
        known.push((text.to_owned(), digest.clone()));
        digest
    })
}

/// Runs a script, all of it at once.
pub fn run(context: &mut Context<'_>, text: &str, keys: &[&[u8]], args: &[&[u8]]) -> Reply {
    RUNNING.with_borrow_mut(|running| {
        *running = Running {
            data: take(context.data),
            now_ms: context.now_ms,
            said: take(context.said),
            written: *context.written,
            has_seen_time: *context.has_seen_time,
            reach: context.reach,
        };
    });
    let reply = MACHINE.with(|machine| machine.run(text, keys, args));
    RUNNING.with_borrow_mut(|running| {
        *context.data = take(&mut running.data);
        *context.said = take(&mut running.said);
        *context.written = running.written;
        *context.has_seen_time = running.has_seen_time;
    });
    // The message of Redis for an uncaught error.
    reply.unwrap_or_else(|error| Reply::Error(first_line(&error.to_string())))
}

fn first_line(text: &str) -> String {
    let text = text.strip_prefix("runtime error: ").unwrap_or(text);
    text.lines().next().unwrap_or_default().to_owned()
}

impl Machine {
    fn new() -> Machine {
        let lua = Lua::new();
        let redis = lua.create_table().unwrap();
        let call = |lua: &Lua, words: MultiValue| match called(words) {
            Reply::Error(why) => Err(mlua::Error::runtime(why)),
            reply => to_lua(lua, reply),
        };
        let pcall = |lua: &Lua, words: MultiValue| to_lua(lua, called(words));
        redis
            .set("call", lua.create_function(call).unwrap())
            .unwrap();
        redis
            .set("pcall", lua.create_function(pcall).unwrap())
            .unwrap();
        for (name, field) in [("status_reply", "ok"), ("error_reply", "err")] {
            let reply = move |lua: &Lua, text: mlua::LuaString| {
                let table = lua.create_table()?;
                table.set(field, text)?;
                Ok(table)
            };
            redis
                .set(name, lua.create_function(reply).unwrap())
                .unwrap();
        }
        lua.globals().set("redis", redis).unwrap();
        Machine {
            lua,
            compiled: RefCell::default(),
        }
    }

    fn run(&self, text: &str, keys: &[&[u8]], args: &[&[u8]]) -> mlua::Result<Reply> {
        for (name, words) in [("KEYS", keys), ("ARGV", args)] {
            self.lua.globals().raw_set(name, self.list(words)?)?;
        }
        from_lua(self.compile(text)?.call(())?)
    }

    /// Passes words to Lua without a handle for each one.
    fn list(&self, words: &[&[u8]]) -> mlua::Result<Table> {
        let texts: Option<Vec<&str>> = words
            .iter()
            .map(|word| std::str::from_utf8(word).ok())
            .collect();
        match texts {
            Some(texts) => self.lua.create_sequence_from(texts),
            None => {
                let words = words.iter().map(|word| BString::from(*word));
                self.lua.create_sequence_from(words)
            }
        }
    }

    fn compile(&self, text: &str) -> mlua::Result<Function> {
        let mut compiled = self.compiled.borrow_mut();
        if let Some((_, function)) = compiled.iter().find(|(known, _)| known == text) {
            return Ok(function.clone());
        }
        let function = self.lua.load(text).into_function()?;
        compiled.push((text.to_owned(), function.clone()));
        Ok(function)
    }
}

/// A word of a call: a string of Lua, or a number as text.
enum Word {
    Lua(mlua::BorrowedBytes),
    Number(String),
}

impl AsRef<[u8]> for Word {
    fn as_ref(&self) -> &[u8] {
        match self {
            Word::Lua(bytes) => bytes,
            Word::Number(text) => text.as_bytes(),
        }
    }
}

fn called(words: MultiValue) -> Reply {
    let word = |value: Value| match value {
        Value::String(text) => Word::Lua(text.as_bytes()),
        Value::Integer(number) => Word::Number(number.to_string()),
        Value::Number(number) => Word::Number(number.to_string()),
        other => panic!("a script calls with {other:?}"),
    };
    let words: Vec<Word> = words.into_iter().map(word).collect();
    let words: Vec<&[u8]> = words.iter().map(Word::as_ref).collect();
    RUNNING.with_borrow_mut(|running| {
        let mut context = Context {
            data: &mut running.data,
            now_ms: running.now_ms,
            said: &mut running.said,
            written: &mut running.written,
            has_seen_time: &mut running.has_seen_time,
            reach: running.reach,
        };
        context.run(&words)
    })
}

fn to_lua(lua: &Lua, reply: Reply) -> mlua::Result<Value> {
    Ok(match reply {
        Reply::Nil => Value::Boolean(false),
        Reply::Int(number) => Value::Number(number as f64),
        Reply::Bulk(text) => Value::String(lua.create_string(text)?),
        Reply::Simple(word) => table_of(lua, "ok", word)?,
        Reply::Error(why) => table_of(lua, "err", &why)?,
        Reply::Array(items) | Reply::Map(items) | Reply::Push(items) => {
            let items: mlua::Result<Vec<Value>> =
                items.into_iter().map(|item| to_lua(lua, item)).collect();
            Value::Table(lua.create_sequence_from(items?)?)
        }
    })
}

fn table_of(lua: &Lua, field: &str, text: &str) -> mlua::Result<Value> {
    let table = lua.create_table()?;
    table.set(field, text)?;
    Ok(Value::Table(table))
}

fn from_lua(value: Value) -> mlua::Result<Reply> {
    Ok(match value {
        Value::Nil | Value::Boolean(false) => Reply::Nil,
        Value::Boolean(true) => Reply::Int(1),
        Value::Integer(number) => Reply::Int(number),
        Value::Number(number) => Reply::Int(number as i64),
        Value::String(text) => bulk(text.as_bytes()),
        Value::Table(table) => {
            // Up to the first nil, as in Redis.
            let mut items = Vec::new();
            for at in 1.. {
                match table.raw_get::<Value>(at)? {
                    Value::Nil => break,
                    item => items.push(from_lua(item)?),
                }
            }
            if !items.is_empty() {
                return Ok(Reply::Array(items));
            }
            if let Value::String(why) = table.raw_get::<Value>("err")? {
                return Ok(Reply::Error(why.to_str()?.to_owned()));
            }
            match table.raw_get::<Value>("ok")? {
                Value::String(_) => Reply::Simple("OK"),
                _ => Reply::Array(items),
            }
        }
        other => panic!("a script answers with {other:?}"),
    })
}
