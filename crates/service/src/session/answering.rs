//! Idempotent replay: the stored responses of requests with an `Idempotency-Key`.
//!
//! A change of a session stores its response in the commit that makes it, and a new session stores it in the write that
//! creates it. A change and its response therefore exist together or not at all. A request that changes no session has
//! a record of its own.

use serde::{Deserialize, Serialize};

use super::live::Caller;
use super::log::{decode, encode};
use super::service::{Key, Service};
use super::token::Token;
use super::{Refusal, hex};
use wyrmgate_store::{Bytes, Commit, Committed, Create, Created, Mark, Recorded, session_id};

/// Format number at the beginning of a separate record.
const FORMAT: u8 = 1;
/// Number of attempts to store a refusal when other writers interfere.
const TRIES: usize = 4;
const SESSION_ID_LEN: usize = 22;

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
    answer: Vec<u8>,
}

impl Service {
    /// Returns the stored response to the request with this key, if any. Fails with [`Refusal::KeyMismatch`] if the key
    /// was used for a different request.
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

    async fn apart(&self, key: &Key) -> Result<Option<Recorded>, Refusal> {
        let Some(record) = self.store.load(&name_of(key)).await? else {
            return Ok(None);
        };
        let apart: Apart = decode(FORMAT, &record.status)?;
        Ok(Some(Recorded {
            version: 0,
            fingerprint: apart.fingerprint,
            answer: apart.answer.into(),
        }))
    }

    /// Stores a response in a record of its own. Returns the first response if another node was faster.
    pub async fn record_apart(&self, key: &Key, answer: &[u8]) -> Result<Option<Bytes>, Refusal> {
        let apart = Apart {
            fingerprint: key.fingerprint,
            answer: answer.to_vec(),
        };
        let mut create = Create::new(&name_of(key));
        create.status = encode(FORMAT, &apart)?;
        create.expires_at_ms = Some(self.expiry());
        match self.store.create(create).await? {
            Created::Done(_) => Ok(None),
            Created::Duplicate(_) | Created::Exists => {
                self.first_answer(AnswerPlace::Apart, key).await
            }
        }
    }

    /// Stores in its session that a request was refused, if the caller has a credential for the session; strangers must
    /// not cause writes. Returns the first response if another node was faster.
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

impl Key {
    /// Returns the response stored under this key, if the request was the same.
    pub(super) fn answer_of(&self, recorded: Recorded) -> Result<Bytes, Refusal> {
        match recorded.fingerprint == self.fingerprint {
            true => Ok(recorded.answer),
            false => Err(Refusal::KeyMismatch),
        }
    }
}

/// The name is longer than any session id, so the two cannot collide.
fn name_of(key: &Key) -> String {
    format!("answer-{}", hex::encode(&key.digest))
}
