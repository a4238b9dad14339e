//! Rows with a checksum.
//!
//! The storage library verifies its pages only when a file was not closed. A damaged page would otherwise be read as it is, and
//! a player would get a wrong answer. Therefore each row carries a checksum of its table, its key and its value:
//!
//! ```text
//! version of this format (1 byte), the first 8 bytes of BLAKE3, the value
//! ```

use std::marker::PhantomData;

use redb::{
    AccessGuard, Key, ReadOnlyTable, ReadTransaction, ReadableTable, Table, TableDefinition, Value,
};

use super::super::StoreError;

/// The version of the format of a row.
const VERSION: u8 = 1;
const SUM_BYTES: usize = 8;

/// The name and the types of a table.
pub(super) struct Sealed<K, V> {
    name: &'static str,
    types: PhantomData<(K, V)>,
}

/// An open table.
pub(super) struct OpenTable<T, K, V> {
    /// Its rows with their checksums.
    pub(super) table: T,
    name: &'static str,
    types: PhantomData<(K, V)>,
}

/// A table that is open for reading.
pub(super) type Reading<K, V> = OpenTable<ReadOnlyTable<K, &'static [u8]>, K, V>;
/// A table that is open for writing.
pub(super) type Writing<'t, K, V> = OpenTable<Table<'t, K, &'static [u8]>, K, V>;

impl<K: Key + 'static, V: Value + 'static> Sealed<K, V> {
    pub(super) const fn new(name: &'static str) -> Self {
        Sealed {
            name,
            types: PhantomData,
        }
    }

    pub(super) const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) const fn definition(&self) -> TableDefinition<'static, K, &'static [u8]> {
        TableDefinition::new(self.name)
    }

    pub(super) fn open(&self, read: &ReadTransaction) -> Result<Reading<K, V>, StoreError> {
        Ok(self.rows(read.open_table(self.definition())?))
    }

    pub(super) fn rows<T>(&self, table: T) -> OpenTable<T, K, V> {
        OpenTable {
            table,
            name: self.name,
            types: PhantomData,
        }
    }
}

impl<T: ReadableTable<K, &'static [u8]>, K: Key + 'static, V: Value + 'static> OpenTable<T, K, V> {
    /// Passes the value of a key to `read`, if there is one.
    pub(super) fn get<R>(
        &self,
        key: K::SelfType<'_>,
        read: impl FnOnce(V::SelfType<'_>) -> R,
    ) -> Result<Option<R>, StoreError> {
        let Some(row) = self.table.get(&key)? else {
            return Ok(None);
        };
        let value = self.unseal(K::as_bytes(&key).as_ref(), row.value())?;
        Ok(Some(read(value)))
    }

    /// Returns the value of a row of the table.
    pub(super) fn value<'r>(
        &self,
        key: &AccessGuard<'_, K>,
        row: &'r AccessGuard<'_, &'static [u8]>,
    ) -> Result<V::SelfType<'r>, StoreError> {
        self.unseal(K::as_bytes(&key.value()).as_ref(), row.value())
    }

    fn unseal<'r>(&self, key: &[u8], row: &'r [u8]) -> Result<V::SelfType<'r>, StoreError> {
        let parts = row.split_first().and_then(|(version, rest)| {
            let (sum, value) = rest.split_first_chunk::<SUM_BYTES>()?;
            Some((*version, *sum, value))
        });
        match parts {
            Some((VERSION, found, value)) if found == sum(self.name, key, value) => {
                Ok(V::from_bytes(value))
            }
            _ => Err(self.damaged()),
        }
    }

    fn damaged(&self) -> StoreError {
        StoreError::Corrupt(format!("a row of the table `{}` is damaged", self.name))
    }
}

impl<K: Key + 'static, V: Value + 'static> Writing<'_, K, V> {
    pub(super) fn insert(
        &mut self,
        key: K::SelfType<'_>,
        value: V::SelfType<'_>,
    ) -> Result<(), StoreError> {
        let bytes = V::as_bytes(&value);
        let sum = sum(self.name, K::as_bytes(&key).as_ref(), bytes.as_ref());
        let row = [&[VERSION], &sum[..], bytes.as_ref()].concat();
        self.table.insert(&key, &*row)?;
        Ok(())
    }

    pub(super) fn remove(&mut self, key: K::SelfType<'_>) -> Result<(), StoreError> {
        self.table.remove(&key)?;
        Ok(())
    }
}

fn sum(table: &str, key: &[u8], value: &[u8]) -> [u8; SUM_BYTES] {
    let mut hasher = blake3::Hasher::new();
    for part in [table.as_bytes(), key] {
        hasher
            .update(&(part.len() as u64).to_le_bytes())
            .update(part);
    }
    let mut sum = [0; SUM_BYTES];
    hasher.update(value).finalize_xof().fill(&mut sum);
    sum
}
