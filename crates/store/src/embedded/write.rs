//! The write operations, each within a transaction that the caller commits.

use super::super::clock::is_past;
use super::super::image::{Image, Imported};
use super::super::types::TAKEN_MS;
use super::super::{
    Commit, Committed, Create, Created, Digest, Idempotency, Listing, Position, Recorded,
    SessionRecord, StoreError,
};
use super::tables::{self, AnswerOf, HeadOf, NEVER, OpenTables, REMOVED, read_expiry};

impl OpenTables<'_> {
    pub(super) fn create(&mut self, create: &Create) -> Result<Created, StoreError> {
        let session = create.session.as_str();
        if self.living(session)?.is_some() {
            let known = self.known(session, create.idempotency.as_ref())?;
            return Ok(known.map_or(Created::Exists, Created::Duplicate));
        }
        if self.is_taken(session)? {
            return Ok(Created::Removed);
        }
        let image = Image::from(create.clone());
        self.keep(&image)?;
        Ok(Created::Done(image.record.position))
    }

    pub(super) fn commit(&mut self, commit: &Commit) -> Result<Committed, StoreError> {
        let session = commit.session.as_str();
        let Some(mut record) = self.living(session)? else {
            return Ok(Committed::Absent);
        };
        if let Some(recorded) = self.known(session, commit.idempotency.as_ref())? {
            return Ok(Committed::Duplicate(recorded));
        }
        let expected = (commit.expected_revision, commit.expected_mark);
        if (record.position.revision, record.mark) != expected {
            let present = tables::whole(record, &self.fixed, session)?;
            return Ok(Committed::Stale(present));
        }
        self.move_expiry(session, record.expires_at_ms, commit.expires_at_ms)?;
        record.apply(commit);
        let position = record.position;
        if let Some(entry) = &commit.entry {
            let row = (commit.mark.bits(), &**entry);
            self.log.insert((session, position.version), row)?;
        }
        if let Some(of) = &commit.idempotency {
            let answer = (position.version, &of.fingerprint, &*of.answer);
            self.answers.insert((session, &of.key), answer)?;
        }
        if let Some(listing) = &commit.listing {
            self.displace(session)?;
            self.place(session, listing)?;
        }
        self.write_head(session, &record)?;
        Ok(Committed::Done(position))
    }

    /// Removes a session and all its data. Returns whether it existed and had not expired.
    pub(super) fn remove(&mut self, session: &str) -> Result<bool, StoreError> {
        let lived = self.living(session)?.is_some();
        if lived {
            self.bury(session)?;
            self.take(session, self.now_ms.saturating_add(TAKEN_MS))?;
        }
        Ok(lived)
    }

    /// Keeps the id of a removed session from being used until a moment.
    fn take(&mut self, session: &str, until: u64) -> Result<(), StoreError> {
        self.heads
            .insert(session, (REMOVED, 0, until, 0, 0, &[], &[]))?;
        self.move_expiry(session, None, Some(until))
    }

    fn is_taken(&self, session: &str) -> Result<bool, StoreError> {
        let is_taken =
            |(revision, _, until, ..): HeadOf<'_>| revision == REMOVED && until > self.now_ms;
        Ok(self.heads.get(session, is_taken)?.unwrap_or_default())
    }

    /// Writes a whole session, if there is none with its name.
    pub(super) fn import(&mut self, image: &Image) -> Result<Imported, StoreError> {
        let (session, record) = (image.session.as_str(), &image.record);
        if is_past(record.expires_at_ms, self.now_ms) {
            return Ok(Imported::Expired);
        }
        if let Some(present) = self.living(session)? {
            return Ok(image.compared_with(&present));
        }
        self.keep(image)?;
        Ok(Imported::Written)
    }

    /// Keeps a session whose id is free, and lists it.
    fn keep(&mut self, image: &Image) -> Result<(), StoreError> {
        let (session, record) = (image.session.as_str(), &image.record);
        self.bury(session)?; // an expired one that still lay there
        self.fixed.insert(session, &*record.fixed)?;
        if let Some(secret) = &image.secret {
            self.secrets.insert(session, &*secret.0)?;
        }
        for entry in &image.log {
            let row = (entry.mark.bits(), &*entry.bytes);
            self.log.insert((session, entry.version), row)?;
        }
        for (key, recorded) in &image.answers {
            let answer = (recorded.version, &recorded.fingerprint, &*recorded.answer);
            self.answers.insert((session, key), answer)?;
        }
        self.place(session, &image.listing)?;
        self.move_expiry(session, None, record.expires_at_ms)?;
        self.write_head(session, record)
    }

    pub(super) fn put_blob(&mut self, digest: &Digest, bytes: &[u8]) -> Result<(), StoreError> {
        self.blobs.insert(digest, bytes)?;
        Ok(())
    }

    /// Notes that somebody checks whether the file can be written.
    pub(super) fn touch(&mut self) -> Result<(), StoreError> {
        self.touched.insert((), self.now_ms)
    }

    /// Returns the record of a session that has not expired, without its fixed part.
    fn living(&self, session: &str) -> Result<Option<SessionRecord>, StoreError> {
        tables::living(&self.heads, &self.fixed, session, self.now_ms)
    }

    fn known(
        &self,
        session: &str,
        idempotency: Option<&Idempotency>,
    ) -> Result<Option<Recorded>, StoreError> {
        let Some(idempotency) = idempotency else {
            return Ok(None);
        };
        self.answers.get((session, &idempotency.key), recorded)
    }

    fn write_head(&mut self, session: &str, record: &SessionRecord) -> Result<(), StoreError> {
        let Position { revision, version } = record.position;
        let expiry = record.expires_at_ms.unwrap_or(NEVER);
        let marks = (record.mark.bits(), record.version_mark.bits());
        let (status, snapshot) = (&*record.status, &*record.snapshot);
        let head = (
            revision, version, expiry, marks.0, marks.1, status, snapshot,
        );
        self.heads.insert(session, head)
    }

    fn place(&mut self, session: &str, listing: &Listing) -> Result<(), StoreError> {
        let mut names = Vec::with_capacity(listing.placements.len());
        for placement in &listing.placements {
            self.places
                .insert((placement.index.name(), placement.score, session), ())?;
            names.push((placement.index.name(), placement.score));
        }
        self.listings.insert(session, (names, &[]))?;
        Ok(())
    }

    fn displace(&mut self, session: &str) -> Result<(), StoreError> {
        let places = self.listings.get(session, |(places, _)| {
            let places = places.into_iter();
            let owned = places.map(|(index, score)| (index.to_owned(), score));
            owned.collect::<Vec<_>>()
        })?;
        for (index, score) in places.into_iter().flatten() {
            self.places.remove((&index, score, session))?;
        }
        self.listings.remove(session)
    }

    fn move_expiry(
        &mut self,
        session: &str,
        old: Option<u64>,
        new: Option<u64>,
    ) -> Result<(), StoreError> {
        if old == new {
            return Ok(());
        }
        if let Some(at) = old {
            self.expiries.remove((at, session))?;
        }
        if let Some(at) = new {
            self.expiries.insert((at, session), ())?;
        }
        Ok(())
    }

    /// Removes all that is left of a session.
    pub(super) fn bury(&mut self, session: &str) -> Result<(), StoreError> {
        let Some(expiry) = self.heads.get(session, |head| head.2)? else {
            return Ok(());
        };
        self.heads.remove(session)?;
        self.displace(session)?;
        self.move_expiry(session, read_expiry(expiry), None)?;
        self.fixed.remove(session)?;
        self.secrets.remove(session)?;
        let versions = (session, 0)..=(session, u64::MAX);
        self.log.table.retain_in(versions, |_, _| false)?;
        let keys = (session, &[0; 32])..=(session, &[0xff; 32]);
        self.answers.table.retain_in(keys, |_, _| false)?;
        Ok(())
    }

    /// Removes a session that has expired.
    pub(super) fn bury_expired(&mut self, session: &str) -> Result<(), StoreError> {
        let expiry = self.heads.get(session, |head| head.2)?;
        match expiry.is_some_and(|at| at <= self.now_ms) {
            true => self.bury(session),
            false => Ok(()),
        }
    }
}

/// Returns the response in its row.
pub(super) fn recorded(row: AnswerOf<'_>) -> Recorded {
    let (version, fingerprint, answer) = row;
    Recorded {
        version,
        fingerprint: *fingerprint,
        answer: answer.into(),
    }
}
