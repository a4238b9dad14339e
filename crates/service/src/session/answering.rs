//! First answers: what was answered to a request with an `Idempotency-Key`, for those who send it again.
//!
//! A change of a session records its answer in the commit that makes it, and a new session in the write that creates it,
//! so an effect and its answer are there together or not at all. What changes no session has a record of its own. An effect
//! that such a record cannot join (a session that is removed, a simulation that is created) has its key noted there first:
//! if the node dies in between, whoever comes again is known to have been accepted.

use serde::{Deserialize, Serialize};

use super::live::Caller;
use super::log::{decode, encode};
use super::service::{Key, Service};
use super::token::Token;
use super::{Refusal, hex};
use wyrmgate_store::{
    Bytes, Commit, Committed, Create, Created, Digest, Mark, Recorded, session_id,
};

/// The number that a record of its own begins with.
const FORMAT: u8 = 1;
/// A refusal is recorded again so often when others write in between.
const TRIES: usize = 4;
const SESSION_ID_LEN: usize = 22;

/// Where a first answer is recorded.
#[derive(Debug, Clone, Copy)]
pub enum AnswerPlace<'a> {
    /// In the session that the request is about.
    Session(&'a str),
    /// In the session that the request creates; its id follows from the key.
    NewSession,
    /// In a record of its own.
    Apart,
}

/// A record that holds an answer and nothing else.
#[derive(Serialize, Deserialize)]
struct Apart {
    fingerprint: [u8; 32],
    /// Empty from when the request was accepted until it is answered.
    answer: Vec<u8>,
}

/// What a fingerprint begins with: the number of the way in which it was made. To be raised whenever the same request gets
/// another fingerprint. Those of before the mark have none.
const FINGERPRINT_MARK: [u8; 4] = *b"wyf3";

impl Service {
    /// Returns the first answer to the request with this key, if there was one. Fails with [`Refusal::KeyMismatch`] if the
    /// key was used with other content.
    pub async fn first_answer(
        &self,
        place: AnswerPlace<'_>,
        key: &Key,
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

    /// `None` also while the request is not answered.
    async fn apart(&self, key: &Key) -> Result<Option<Recorded>, Refusal> {
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

    /// Records an answer in a record of its own. Returns the first one if another node was faster.
    pub async fn record_apart(&self, key: &Key, answer: &[u8]) -> Result<Option<Bytes>, Refusal> {
        let status = self.note_apart(key, answer).await?;
        let Noted::Before = status else {
            return Ok(None);
        };
        if let Some(first) = self.first_answer(AnswerPlace::Apart, key).await? {
            return Ok(Some(first));
        }
        // The request was noted as accepted. Nothing else is ever written to that record.
        let Some(record) = self.store.load(&name_of(key)).await? else {
            return Ok(None);
        };
        let mut commit = Commit::new(&name_of(key), record.position.revision);
        (commit.expected_mark, commit.mark) = (record.mark, Mark::draw()?);
        commit.status = Some(key.apart(answer)?);
        commit.expires_at_ms = Some(self.expiry());
        match self.store.commit(commit).await? {
            Committed::Stale(_) => self.first_answer(AnswerPlace::Apart, key).await,
            Committed::Done(_) | Committed::Duplicate(_) | Committed::Absent => Ok(None),
        }
    }

    /// Notes that the request with this key was accepted, before it has its effect.
    pub(super) async fn note_accepted(&self, key: Option<&Key>) -> Result<(), Refusal> {
        match key {
            Some(key) => self.note_apart(key, &[]).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// Was a request with this key and this content accepted before?
    pub(super) async fn was_accepted(&self, key: Option<&Key>) -> Result<bool, Refusal> {
        let Some(key) = key else { return Ok(false) };
        let Some(record) = self.store.load(&name_of(key)).await? else {
            return Ok(false);
        };
        let apart: Apart = decode(FORMAT, &record.status)?;
        Ok(!key.is_another(&apart.fingerprint))
    }

    async fn note_apart(&self, key: &Key, answer: &[u8]) -> Result<Noted, Refusal> {
        let mut create = Create::new(&name_of(key));
        create.status = key.apart(answer)?;
        create.expires_at_ms = Some(self.expiry());
        match self.store.create(create).await? {
            Created::Done(_) => Ok(Noted::Now),
            Created::Duplicate(_) | Created::Exists => Ok(Noted::Before),
        }
    }

    /// Records in its session that a request was refused, if the caller has a credential for the session: strangers write
    /// nothing. Returns the first answer if another node was faster.
    pub async fn record_refusal(
        &self,
        id: &str,
        token: &Token,
        key: &Key,
        answer: &Bytes,
    ) -> Result<Option<Bytes>, Refusal> {
        for _ in 0..TRIES {
            let (live, caller) = self.look(id, Some(token)).await?;
            if caller == Caller::Public {
                return Ok(None);
            }
            let mut commit = Commit::new(&live.id, live.position.revision);
            (commit.expected_mark, commit.mark) = (live.mark, Mark::draw()?);
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

/// Whether a record was there already.
enum Noted {
    Now,
    Before,
}

impl Key {
    /// The key of a request with this content.
    pub fn new(digest: Digest, content: Digest) -> Key {
        let mut fingerprint = content;
        for (byte, mark) in fingerprint.iter_mut().zip(FINGERPRINT_MARK) {
            *byte = mark;
        }
        Key {
            digest,
            fingerprint,
        }
    }

    /// The answer recorded under this key, if the content was the same. An earlier or a later version of this program may
    /// have made the fingerprint in another way: then nothing can be compared, and whoever repeats a request across an
    /// upgrade gets the first answer.
    pub(super) fn answer_of(&self, recorded: Recorded) -> Result<Bytes, Refusal> {
        match self.is_another(&recorded.fingerprint) {
            true => Err(Refusal::KeyMismatch),
            false => Ok(recorded.answer),
        }
    }

    /// Is that the fingerprint of another request, for all that can be known?
    fn is_another(&self, fingerprint: &Digest) -> bool {
        let is_ours = |fingerprint: &Digest| fingerprint.starts_with(&FINGERPRINT_MARK);
        is_ours(fingerprint) == is_ours(&self.fingerprint) && *fingerprint != self.fingerprint
    }

    fn apart(&self, answer: &[u8]) -> Result<Bytes, Refusal> {
        let apart = Apart {
            fingerprint: self.fingerprint,
            answer: answer.to_vec(),
        };
        Ok(encode(FORMAT, &apart)?)
    }
}

/// Longer than the id of a session, so that it cannot be taken for one.
fn name_of(key: &Key) -> String {
    format!("answer-{}", hex::encode(&key.digest))
}
