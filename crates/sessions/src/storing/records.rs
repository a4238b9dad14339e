//! Records beside the sessions: what is kept of players, and the messages of a table.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Refusal;
use crate::content::encoding::{from_json, to_json};
use crate::service::Service;
use wyrmgate_store::{
    Bytes, ChangeMark, Commit, Committed, Create, Created, Listing, SessionRecord,
};

/// Number of attempts to write when other writers interfere.
pub(crate) const TRIES: usize = 8;

/// How a change of a record is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordChange {
    /// Whether those who watch the record hear of it: it then gets a new version, which says nothing, so that nothing stays of it.
    pub is_announced: bool,
    /// Whether the record stays until it is changed again.
    pub stays: bool,
    pub listing: Option<Listing>,
}

/// Changes the content of a record. It is given the version that an announced change leads to.
pub(crate) type ChangeRecord<'c, T> =
    &'c (dyn Fn(&mut T, u64) -> Result<RecordChange, Refusal> + Sync);

impl Service {
    /// Returns a record with its version, or an empty one.
    pub(crate) async fn kept_record<T: Default + DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<(T, u64), Refusal> {
        match self.store.load(name).await? {
            Some(record) => Ok((from_json(&record.status)?, record.position.version)),
            None => Ok((T::default(), 0)),
        }
    }

    /// Changes a record, whoever else changes it at the same time; returns it.
    pub(crate) async fn change_record<T: Default + Serialize + DeserializeOwned>(
        &self,
        name: &str,
        change: ChangeRecord<'_, T>,
    ) -> Result<T, Refusal> {
        for _ in 0..TRIES {
            let record = self.record_to_change::<T>(name).await?;
            let mut content: T = from_json(&record.status)?;
            let how = change(&mut content, record.position.version.saturating_add(1))?;
            if self.write_record(name, &record, &content, how).await? {
                return Ok(content);
            }
        }
        Err(Refusal::Overloaded)
    }

    /// Returns a record as it is now. Creates an empty one if there is none, because only a commit is heard by those who watch.
    pub(crate) async fn record_to_change<T: Default + Serialize>(
        &self,
        name: &str,
    ) -> Result<SessionRecord, Refusal> {
        for _ in 0..TRIES {
            if let Some(record) = self.store.load(name).await? {
                return Ok(record);
            }
            let mut create = Create::new(name);
            create.mark = ChangeMark::draw()?;
            create.status = to_json(&T::default())?;
            create.expires_at_ms = Some(self.expiry());
            if self.store.create(create).await? == Created::Removed {
                return Err(Refusal::NotFound);
            }
        }
        Err(Refusal::Overloaded)
    }

    /// Writes a record, unless somebody has changed it since it was read; returns whether it did.
    pub(crate) async fn write_record<T: Serialize>(
        &self,
        name: &str,
        read: &SessionRecord,
        content: &T,
        how: RecordChange,
    ) -> Result<bool, Refusal> {
        let mut commit = Commit::new(name, read.position.revision);
        (commit.expected_mark, commit.mark) = (read.mark, ChangeMark::draw()?);
        commit.status = Some(to_json(content)?);
        commit.entry = how.is_announced.then(Bytes::default);
        commit.expires_at_ms = (!how.stays).then(|| self.expiry());
        commit.listing = how.listing;
        let written = self.store.commit(commit).await?;
        Ok(matches!(written, Committed::Done(_)))
    }
}
