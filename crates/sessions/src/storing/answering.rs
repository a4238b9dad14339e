//! Idempotent replay: the stored responses of requests with an `Idempotency-Key`.
//!
//! A change of a session stores its response in the commit that makes it, and a new session stores it in the write that
//! creates it. A change and its response therefore exist together or not at all. A request that changes no session has
//! a record of its own. If such a request has an effect (it removes a session, or creates a simulation), the record is
//! written before the effect, without a response: if the node dies in between, a retry is known to have been accepted.

use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::Token;
use crate::content::encoding::{decode, encode};
use crate::service::{SESSION_ID_LEN, Service};
use wyrmgate_base::hex;
use wyrmgate_store::{
    Bytes, ChangeMark, Commit, Committed, Create, Created, Digest, Idempotency, Recorded,
    session_id,
};

/// Format number at the beginning of a separate record.
const FORMAT: u8 = 1;
/// Number of attempts to store a refusal when other writers interfere.
const TRIES: usize = 4;

/// The `Idempotency-Key` of a request.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// Digest of caller and key.
    pub digest: Digest,
    /// Digest of everything that makes two requests equal.
    pub fingerprint: Digest,
}

/// Where a first response is stored.
#[derive(Debug, Clone, Copy)]
pub enum AnswerPlace<'a> {
    /// In the session that the request addresses.
    Session(&'a str),
    /// In the session that the request creates. Its id is derived from the key.
    NewSession,
    /// In a record of its own.
    Apart,
}

/// A record that contains only a response.
#[derive(Serialize, Deserialize)]
struct Apart {
    fingerprint: [u8; 32],
    /// Empty while the request is accepted and has no response yet.
    answer: Vec<u8>,
}

/// Version of fingerprints, their first bytes. Raise it whenever the same request gets another fingerprint. The first
/// fingerprints had no version.
const FINGERPRINT_MARK: [u8; 4] = *b"wyf3";

impl Service {
    /// Returns the stored response to the request with this key, if any. Fails with [`Refusal::KeyMismatch`] if the key
    /// was used for a different request.
    pub async fn first_answer(
        &self,
        place: AnswerPlace<'_>,
        key: &IdempotencyKey,
    ) -> Result<Option<Bytes>, Refusal> {
        let recorded = match place {
            AnswerPlace::Session(id) if id.len() != SESSION_ID_LEN => None,
            AnswerPlace::Session(id) => self.store.recall(id, &key.digest).await?,
            AnswerPlace::NewSession => {
                let id = session_id(Some(&key.digest))?;
                self.store.recall(&id, &key.digest).await?
            }
            AnswerPlace::Apart => self.apart(key).await?,
        };
        recorded.map(|recorded| key.answer_of(recorded)).transpose()
    }

    /// Returns `None` also while the request has no response yet.
    async fn apart(&self, key: &IdempotencyKey) -> Result<Option<Recorded>, Refusal> {
        let Some(record) = self.store.load(&name_of(key)).await? else {
            return Ok(None);
        };
        let Apart {
            fingerprint,
            answer,
        } = decode(FORMAT, &record.status)?;
        let recorded = Recorded {
            version: 0,
            fingerprint,
            answer: answer.into(),
        };
        let answer = key.answer_of(recorded.clone())?;
        Ok((!answer.is_empty()).then_some(recorded))
    }

    /// Stores a response in a record of its own. Returns the first response if another node was faster.
    pub async fn record_apart(
        &self,
        key: &IdempotencyKey,
        answer: &[u8],
    ) -> Result<Option<Bytes>, Refusal> {
        let status = self.note_apart(key, answer).await?;
        let RecordedBefore::Before = status else {
            return Ok(None);
        };
        if let Some(first) = self.first_answer(AnswerPlace::Apart, key).await? {
            return Ok(Some(first));
        }
        // The request was recorded as accepted. Nothing else is ever written to that record.
        let Some(record) = self.store.load(&name_of(key)).await? else {
            return Ok(None);
        };
        let mut commit = Commit::new(&name_of(key), record.position.revision);
        (commit.expected_mark, commit.mark) = (record.mark, ChangeMark::draw()?);
        commit.status = Some(key.apart(answer)?);
        commit.expires_at_ms = Some(self.expiry());
        match self.store.commit(commit).await? {
            Committed::Stale(_) => self.first_answer(AnswerPlace::Apart, key).await,
            Committed::Done(_) | Committed::Duplicate(_) | Committed::Absent => Ok(None),
        }
    }

    /// Records that the request with this key was accepted, before it has its effect.
    pub(crate) async fn note_accepted(&self, key: Option<&IdempotencyKey>) -> Result<(), Refusal> {
        match key {
            Some(key) => self.note_apart(key, &[]).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// Returns whether a request with this key and this content was accepted before.
    pub(crate) async fn was_accepted(&self, key: Option<&IdempotencyKey>) -> Result<bool, Refusal> {
        let Some(key) = key else { return Ok(false) };
        let Some(record) = self.store.load(&name_of(key)).await? else {
            return Ok(false);
        };
        let apart: Apart = decode(FORMAT, &record.status)?;
        Ok(!key.is_another(&apart.fingerprint))
    }

    async fn note_apart(
        &self,
        key: &IdempotencyKey,
        answer: &[u8],
    ) -> Result<RecordedBefore, Refusal> {
        let mut create = Create::new(&name_of(key));
        create.status = key.apart(answer)?;
        create.expires_at_ms = Some(self.expiry());
        match self.store.create(create).await? {
            Created::Done(_) => Ok(RecordedBefore::Now),
            Created::Duplicate(_) | Created::Exists | Created::Removed => {
                Ok(RecordedBefore::Before)
            }
        }
    }

    /// Stores in its session that a request was refused, if the caller has a credential for the session; strangers must
    /// not cause writes. Returns the first response if another node was faster.
    pub async fn record_refusal(
        &self,
        id: &str,
        token: &Token,
        key: &IdempotencyKey,
        answer: &Bytes,
    ) -> Result<Option<Bytes>, Refusal> {
        for _ in 0..TRIES {
            let (live, caller) = self.look(id, Some(token)).await?;
            if caller == Caller::Public {
                return Ok(None);
            }
            let mut commit = Commit::new(&live.id, live.position.revision);
            (commit.expected_mark, commit.mark) = (live.mark, ChangeMark::draw()?);
            commit.idempotency = Some(key.recorded(answer.clone()));
            commit.expires_at_ms = Some(self.expiry());
            match self.store.commit(commit).await? {
                Committed::Done(_) | Committed::Absent => return Ok(None),
                Committed::Duplicate(recorded) => return key.answer_of(recorded).map(Some),
                Committed::Stale(_) => {}
            }
        }
        Ok(None)
    }
}

/// Whether a record existed already.
enum RecordedBefore {
    Now,
    Before,
}

impl IdempotencyKey {
    /// Returns the key of a request with this digest of its content.
    pub fn new(digest: Digest, content: Digest) -> IdempotencyKey {
        let mut fingerprint = content;
        for (byte, mark) in fingerprint.iter_mut().zip(FINGERPRINT_MARK) {
            *byte = mark;
        }
        IdempotencyKey {
            digest,
            fingerprint,
        }
    }

    /// Returns the key of one of several writes of the request.
    pub fn part(&self, number: u64) -> IdempotencyKey {
        let part = |of: &Digest| {
            let mut hasher = blake3::Hasher::new_keyed(of);
            *hasher.update(&number.to_le_bytes()).finalize().as_bytes()
        };
        IdempotencyKey::new(part(&self.digest), part(&self.fingerprint))
    }

    /// Returns the response stored under this key, if the request was the same. Another version of this program may have
    /// computed the fingerprint in another way. Such fingerprints cannot be compared, and the retry gets the first
    /// response.
    pub(crate) fn answer_of(&self, recorded: Recorded) -> Result<Bytes, Refusal> {
        match self.is_another(&recorded.fingerprint) {
            true => Err(Refusal::KeyMismatch),
            false => Ok(recorded.answer),
        }
    }

    /// Returns whether this is the fingerprint of another request. Fingerprints of different versions are not compared.
    fn is_another(&self, fingerprint: &Digest) -> bool {
        let is_ours = |fingerprint: &Digest| fingerprint.starts_with(&FINGERPRINT_MARK);
        is_ours(fingerprint) == is_ours(&self.fingerprint) && *fingerprint != self.fingerprint
    }

    pub(crate) fn recorded(&self, answer: Bytes) -> Idempotency {
        Idempotency {
            key: self.digest,
            fingerprint: self.fingerprint,
            answer,
        }
    }

    fn apart(&self, answer: &[u8]) -> Result<Bytes, Refusal> {
        let apart = Apart {
            fingerprint: self.fingerprint,
            answer: answer.to_vec(),
        };
        Ok(encode(FORMAT, &apart)?)
    }
}

/// The name is longer than any session id, so the two cannot collide.
fn name_of(key: &IdempotencyKey) -> String {
    format!("answer-{}", hex::encode(&key.digest))
}
