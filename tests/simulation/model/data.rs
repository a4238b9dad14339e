//! The data of a server. Cheap to copy, so that an earlier state can be restored.

use std::collections::BTreeMap;
use std::rc::Rc;

pub type Text = Rc<[u8]>;

/// The value of a key, and when it expires.
#[derive(Clone, Debug)]
pub struct Row {
    pub value: Value,
    pub expires_at_ms: Option<u64>,
}

#[derive(Clone, Debug)]
pub enum Value {
    Text(Text),
    Hash(BTreeMap<Text, Text>),
    /// Entries by the first half of their ids; the second half is always 0 here.
    Stream(BTreeMap<u64, Vec<Text>>),
    /// Scores by member.
    Sorted(BTreeMap<Text, f64>),
}

/// All keys.
#[derive(Clone, Default, Debug)]
pub struct Data {
    rows: BTreeMap<Text, Rc<Row>>,
}

impl Data {
    pub fn value(&self, key: &[u8], now_ms: u64) -> Option<&Value> {
        let row = self.rows.get(key)?;
        let is_over = row.expires_at_ms.is_some_and(|at| at <= now_ms);
        (!is_over).then_some(&row.value)
    }

    /// Returns the row of a key, also if it has expired.
    pub fn row(&self, key: &[u8]) -> Option<Rc<Row>> {
        self.rows.get(key).cloned()
    }

    /// Returns the value of a key, which `new` creates if there is none.
    pub fn change(&mut self, key: &[u8], now_ms: u64, new: fn() -> Value) -> &mut Value {
        if self.value(key, now_ms).is_none() {
            let row = Row {
                value: new(),
                expires_at_ms: None,
            };
            self.rows.insert(key.into(), Rc::new(row));
        }
        &mut Rc::make_mut(self.rows.get_mut(key).unwrap()).value
    }

    pub fn put(&mut self, key: &[u8], value: Value) {
        let row = Row {
            value,
            expires_at_ms: None,
        };
        self.rows.insert(key.into(), Rc::new(row));
    }

    /// Removes a key with its value and expiry, to give them to another server.
    pub fn take(&mut self, key: &[u8]) -> Option<Rc<Row>> {
        self.rows.remove(key)
    }

    pub fn give(&mut self, key: &[u8], row: Rc<Row>) {
        self.rows.insert(key.into(), row);
    }

    pub fn remove(&mut self, key: &[u8]) -> bool {
        self.rows.remove(key).is_some()
    }

    pub fn expire(&mut self, key: &[u8], at_ms: Option<u64>, now_ms: u64) -> bool {
        if self.value(key, now_ms).is_none() {
            return false;
        }
        if at_ms.is_some_and(|at| at <= now_ms) {
            return self.remove(key);
        }
        let row = Rc::make_mut(self.rows.get_mut(key).unwrap());
        let changed = row.expires_at_ms != at_ms;
        row.expires_at_ms = at_ms;
        changed
    }

    pub fn holds(&self, key: &[u8]) -> bool {
        self.rows.contains_key(key)
    }

    pub fn expiry(&self, key: &[u8]) -> Option<u64> {
        self.rows.get(key)?.expires_at_ms
    }

    pub fn keys(&self, now_ms: u64) -> impl Iterator<Item = &Text> {
        let keys = self.rows.keys();
        keys.filter(move |key| self.value(key, now_ms).is_some())
    }

    /// Removes a key whose value is empty, as Redis does.
    pub fn tidy(&mut self, key: &[u8]) {
        let is_empty = self.rows.get(key).is_some_and(|row| match &row.value {
            Value::Hash(fields) => fields.is_empty(),
            Value::Sorted(members) => members.is_empty(),
            Value::Text(_) | Value::Stream(_) => false,
        });
        if is_empty {
            self.rows.remove(key);
        }
    }
}
