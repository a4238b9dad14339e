//! The write operations, each within a transaction that the caller commits.

use redb::{ReadableTable, Table, WriteTransaction};

use super::super::clock::is_past;
use super::super::image::{Image, Imported};
use super::super::types::TAKEN_MS;
use super::super::{
    Commit, Committed, Create, Created, Digest, Idempotency, Listing, Mark, Position, Record,
    Recorded, StoreError,
};
use super::file::open_table;
use super::tables::{
    self, ANSWERS, Answer, BLOBS, EXPIRIES, FIXED, HEADS, Head, LISTINGS, LOG, LOG_MARKS,
    ListingRow, MARKS, NEVER, PLACES, REMOVED, SECRETS,
};

/// Every table, open for writing.
pub(super) struct Tables<'t> {
    fixed: Table<'t, &'static str, &'static [u8]>,
    heads: Table<'t, &'static str, Head>,
    log: Table<'t, (&'static str, u64), &'static [u8]>,
    marks: Table<'t, &'static str, (u64, u64)>,
    log_marks: Table<'t, (&'static str, u64), u64>,
    answers: Table<'t, (&'static str, &'static [u8; 32]), Answer>,
    secrets: Table<'t, &'static str, &'static [u8]>,
    listings: Table<'t, &'static str, ListingRow>,
    places: Table<'t, (&'static str, u64, &'static str), ()>,
    expiries: Table<'t, (u64, &'static str), ()>,
    blobs: Table<'t, &'static [u8; 32], &'static [u8]>,
    now_ms: u64,
}

/// The mutable part of a session, as stored in its row.
struct Standing {
    position: Position,
    marks: Marks,
    expires_at_ms: Option<u64>,
    status: Vec<u8>,
    snapshot: Vec<u8>,
}

/// The marks of the revision and of the version.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks {
    pub(super) revision: Mark,
    pub(super) version: Mark,
}

impl Marks {
    pub(super) fn read(stored: (u64, u64)) -> Marks {
        Marks {
            revision: Mark::from_bits(stored.0),
            version: Mark::from_bits(stored.1),
        }
    }
}

impl<'t> Tables<'t> {
    /// Opens the tables of a transaction. After an error, the caller must close the file for writing: the transaction
    /// never ends.
    pub(super) fn open(write: &'t WriteTransaction, now_ms: u64) -> Result<Self, StoreError> {
        let mut fault = None;
        let opened = (
            open_table(write, FIXED, &mut fault),
            open_table(write, HEADS, &mut fault),
            open_table(write, LOG, &mut fault),
            open_table(write, MARKS, &mut fault),
            open_table(write, LOG_MARKS, &mut fault),
            open_table(write, ANSWERS, &mut fault),
            open_table(write, SECRETS, &mut fault),
            open_table(write, LISTINGS, &mut fault),
            open_table(write, PLACES, &mut fault),
            open_table(write, EXPIRIES, &mut fault),
            open_table(write, BLOBS, &mut fault),
        );
        match opened {
            (
                Some(fixed),
                Some(heads),
                Some(log),
                Some(marks),
                Some(log_marks),
                Some(answers),
                Some(secrets),
                Some(listings),
                Some(places),
                Some(expiries),
                Some(blobs),
            ) => Ok(Tables {
                fixed,
                heads,
                log,
                marks,
                log_marks,
                answers,
                secrets,
                listings,
                places,
                expiries,
                blobs,
                now_ms,
            }),
            some => {
                // Dropping them would take a lock that may be poisoned.
                std::mem::forget(some);
                let unknown = || StoreError::Corrupt("cannot open a table".to_owned());
                Err(fault.unwrap_or_else(unknown))
            }
        }
    }

    pub(super) fn create(&mut self, create: &Create) -> Result<Created, StoreError> {
        let session = create.session.as_str();
        if self.standing(session)?.is_some() {
            let known = self.known(session, create.idempotency.as_ref())?;
            return Ok(known.map_or(Created::Exists, Created::Duplicate));
        }
        if self.is_taken(session)? {
            return Ok(Created::Removed);
        }
        self.bury(session)?; // an expired one that still lay there
        let position = Position::default().after(create.entry.is_some());
        self.fixed.insert(session, &*create.fixed)?;
        if let Some(secret) = &create.secret {
            self.secrets.insert(session, &*secret.0)?;
        }
        self.append(session, position, create.mark, create.entry.as_deref())?;
        let marks = (create.mark.bits(), create.mark.bits());
        self.marks.insert(session, marks)?;
        self.remember(session, position, create.idempotency.as_ref())?;
        self.place(session, &create.listing)?;
        self.move_expiry(session, None, create.expires_at_ms)?;
        let expiry = create.expires_at_ms;
        self.write_head(session, position, expiry, &create.status, &create.snapshot)?;
        Ok(Created::Done(position))
    }

    pub(super) fn commit(&mut self, commit: &Commit) -> Result<Committed, StoreError> {
        let session = commit.session.as_str();
        let Some(now) = self.standing(session)? else {
            return Ok(Committed::Absent);
        };
        if let Some(recorded) = self.known(session, commit.idempotency.as_ref())? {
            return Ok(Committed::Duplicate(recorded));
        }
        let expected = (commit.expected_revision, commit.expected_mark);
        if (now.position.revision, now.marks.revision) != expected {
            return Ok(Committed::Stale(self.record(session, now)?));
        }
        let position = now.position.after(commit.entry.is_some());
        self.append(session, position, commit.mark, commit.entry.as_deref())?;
        let version_mark = match commit.entry {
            Some(_) => commit.mark,
            None => now.marks.version,
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
        let lived = self.standing(session)?.is_some();
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
        if let Some(present) = self.standing(session)? {
            return Ok(image.compared_with(&self.record(session, present)?));
        }
        self.bury(session)?;
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
        self.write_head(session, position, expiry, &record.status, &record.snapshot)?;
        Ok(Imported::Written)
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

    /// Returns the head of a session that has not expired.
    fn standing(&self, session: &str) -> Result<Option<Standing>, StoreError> {
        let Some(row) = self.heads.get(session)? else {
            return Ok(None);
        };
        let (revision, version, expiry, status, snapshot) = row.value();
        if !tables::is_alive(revision, expiry, self.now_ms) {
            return Ok(None);
        }
        let expires_at_ms = read_expiry(expiry);
        let position = Position { revision, version };
        let (status, snapshot) = (status.to_vec(), snapshot.to_vec());
        let marks = self.marks.get(session)?.map(|row| Marks::read(row.value()));
        Ok(Some(Standing {
            position,
            marks: marks.unwrap_or_default(),
            expires_at_ms,
            status,
            snapshot,
        }))
    }

    fn record(&self, session: &str, standing: Standing) -> Result<Record, StoreError> {
        let fixed = super::fixed(self.fixed.get(session)?, session)?;
        Ok(Record {
            position: standing.position,
            mark: standing.marks.revision,
            version_mark: standing.marks.version,
            fixed,
            status: standing.status.into(),
            snapshot: standing.snapshot.into(),
            expires_at_ms: standing.expires_at_ms,
        })
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

/// Returns the expiry in a head.
pub(super) fn read_expiry(stored: u64) -> Option<u64> {
    (stored != NEVER).then_some(stored)
}

/// Returns the response in its row.
pub(super) fn recorded((version, fingerprint, answer): (u64, &[u8; 32], &[u8])) -> Recorded {
    Recorded {
        version,
        fingerprint: *fingerprint,
        answer: answer.into(),
    }
}
