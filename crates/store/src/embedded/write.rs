//! The write operations, each within a transaction that the caller commits.

use redb::ReadableTable;

use super::super::clock::is_past;
use super::super::image::{Image, Imported};
use super::super::types::TAKEN_MS;
use super::super::{
    Commit, Committed, Create, Created, Digest, Idempotency, Listing, Mark, Position, Record,
    Recorded, StoreError,
};
use super::tables::{self, NEVER, REMOVED, Tables, read_expiry};

impl Tables<'_> {
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
        let Some(now) = self.living(session)? else {
            return Ok(Committed::Absent);
        };
        if let Some(recorded) = self.known(session, commit.idempotency.as_ref())? {
            return Ok(Committed::Duplicate(recorded));
        }
        let expected = (commit.expected_revision, commit.expected_mark);
        if (now.position.revision, now.mark) != expected {
            let present = tables::whole(now, &self.fixed, session)?;
            return Ok(Committed::Stale(present));
        }
        let position = now.position.after(commit.entry.is_some());
        self.append(session, position, commit.mark, commit.entry.as_deref())?;
        let version_mark = match commit.entry {
            Some(_) => commit.mark,
            None => now.version_mark,
        };
        let marks = (commit.mark.bits(), version_mark.bits());
        self.marks.insert(session, marks)?;
        self.remember(session, position, commit.idempotency.as_ref())?;
        if let Some(listing) = &commit.listing {
            self.displace(session)?;
            self.place(session, listing)?;
        }
        self.move_expiry(session, now.expires_at_ms, commit.expires_at_ms)?;
        let status = commit.status.as_deref().unwrap_or(&now.status);
        let snapshot = commit.snapshot.as_deref().unwrap_or(&now.snapshot);
        self.write_head(session, position, commit.expires_at_ms, status, snapshot)?;
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
            .insert(session, (REMOVED, 0, until, &[][..], &[][..]))?;
        self.move_expiry(session, None, Some(until))
    }

    fn is_taken(&self, session: &str) -> Result<bool, StoreError> {
        let row = self.heads.get(session)?;
        let is_taken = |(revision, _, until, ..): (u64, u64, u64, &[u8], &[u8])| {
            revision == REMOVED && until > self.now_ms
        };
        Ok(row.is_some_and(|row| is_taken(row.value())))
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
            let key = (session, entry.version);
            self.log.insert(key, &*entry.bytes)?;
            self.log_marks.insert(key, entry.mark.bits())?;
        }
        for (key, recorded) in &image.answers {
            let answer = (recorded.version, &recorded.fingerprint, &*recorded.answer);
            self.answers.insert((session, key), answer)?;
        }
        let marks = (record.mark.bits(), record.version_mark.bits());
        self.marks.insert(session, marks)?;
        self.place(session, &image.listing)?;
        self.move_expiry(session, None, record.expires_at_ms)?;
        let (position, expiry) = (record.position, record.expires_at_ms);
        self.write_head(session, position, expiry, &record.status, &record.snapshot)
    }

    pub(super) fn put_blob(&mut self, digest: &Digest, bytes: &[u8]) -> Result<(), StoreError> {
        self.blobs.insert(digest, bytes)?;
        Ok(())
    }

    /// Removes the longest expired sessions, up to a number.
    pub(super) fn bury_expired(&mut self, most: usize) -> Result<(), StoreError> {
        let mut dead = Vec::new();
        for row in self
            .expiries
            .range(..=(self.now_ms, "\u{10ffff}"))?
            .take(most)
        {
            dead.push(row?.0.value().1.to_owned());
        }
        dead.iter().try_for_each(|session| self.bury(session))
    }

    /// Returns the record of a session that has not expired, without its fixed part.
    fn living(&self, session: &str) -> Result<Option<Record>, StoreError> {
        tables::living(&self.heads, &self.marks, session, self.now_ms)
    }

    fn known(
        &self,
        session: &str,
        idempotency: Option<&Idempotency>,
    ) -> Result<Option<Recorded>, StoreError> {
        let Some(idempotency) = idempotency else {
            return Ok(None);
        };
        let row = self.answers.get((session, &idempotency.key))?;
        Ok(row.map(|row| recorded(row.value())))
    }

    fn remember(
        &mut self,
        session: &str,
        position: Position,
        idempotency: Option<&Idempotency>,
    ) -> Result<(), StoreError> {
        if let Some(Idempotency {
            key,
            fingerprint,
            answer,
        }) = idempotency
        {
            self.answers
                .insert((session, key), (position.version, fingerprint, &**answer))?;
        }
        Ok(())
    }

    fn append(
        &mut self,
        session: &str,
        position: Position,
        mark: Mark,
        entry: Option<&[u8]>,
    ) -> Result<(), StoreError> {
        if let Some(entry) = entry {
            let key = (session, position.version);
            self.log.insert(key, entry)?;
            self.log_marks.insert(key, mark.bits())?;
        }
        Ok(())
    }

    fn write_head(
        &mut self,
        session: &str,
        position: Position,
        expires_at_ms: Option<u64>,
        status: &[u8],
        snapshot: &[u8],
    ) -> Result<(), StoreError> {
        let Position { revision, version } = position;
        let expiry = expires_at_ms.unwrap_or(NEVER);
        self.heads
            .insert(session, (revision, version, expiry, status, snapshot))?;
        Ok(())
    }

    fn place(&mut self, session: &str, listing: &Listing) -> Result<(), StoreError> {
        let mut names = Vec::with_capacity(listing.placements.len());
        for placement in &listing.placements {
            self.places
                .insert((placement.index.name(), placement.score, session), ())?;
            names.push((placement.index.name(), placement.score));
        }
        self.listings.insert(session, (names, &*listing.summary))?;
        Ok(())
    }

    fn displace(&mut self, session: &str) -> Result<(), StoreError> {
        let Some(row) = self.listings.remove(session)? else {
            return Ok(());
        };
        for (index, score) in row.value().0 {
            self.places.remove((index, score, session))?;
        }
        Ok(())
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

    fn bury(&mut self, session: &str) -> Result<(), StoreError> {
        let Some(expiry) = self.heads.remove(session)?.map(|row| row.value().2) else {
            return Ok(());
        };
        self.displace(session)?;
        self.move_expiry(session, read_expiry(expiry), None)?;
        self.fixed.remove(session)?;
        self.secrets.remove(session)?;
        self.marks.remove(session)?;
        let versions = (session, 0)..=(session, u64::MAX);
        self.log.retain_in(versions.clone(), |_, _| false)?;
        self.log_marks.retain_in(versions, |_, _| false)?;
        let keys = (session, &[0; 32])..=(session, &[0xff; 32]);
        self.answers.retain_in(keys, |_, _| false)?;
        Ok(())
    }
}

/// Returns the response in its row.
pub(super) fn recorded((version, fingerprint, answer): (u64, &[u8; 32], &[u8])) -> Recorded {
    Recorded {
        version,
        fingerprint: *fingerprint,
        answer: answer.into(),
    }
}
