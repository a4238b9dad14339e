//! First answers: what was answered to a request with an `Idempotency-Key`, for those who send it again.
//!
//! A change of a session records its answer in the commit that makes it, and a new session in the write that creates it,
//! so an effect and its answer are there together or not at all. What changes no session has a record of its own.

use serde::{Deserialize, Serialize};

use super::live::Caller;
use super::log::{decode, encode};
use super::service::{Key, Service};
use super::token::Token;
use super::{Refusal, hex};
use wyrmgate_store::{Bytes, Commit, Committed, Create, Created, Mark, Recorded, session_id};

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
    answer: Vec<u8>,
}

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

    /// Records an answer in a record of its own. Returns the first one if another node was faster.
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

impl Key {
    /// The answer recorded under this key, if the content was the same.
    pub(super) fn answer_of(&self, recorded: Recorded) -> Result<Bytes, Refusal> {
        match recorded.fingerprint == self.fingerprint {
            true => Ok(recorded.answer),
            false => Err(Refusal::KeyMismatch),
        }
    }
}

/// Longer than the id of a session, so that it cannot be taken for one.
fn name_of(key: &Key) -> String {
    format!("answer-{}", hex::encode(&key.digest))
}
