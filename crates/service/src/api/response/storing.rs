//! Changes whose response is stored by the commit that makes them.

use crate::api::request::call::Handled;
use crate::api::request::context::JsonContext;
use crate::api::response::stored_response::StoredResponse;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::{Answered, Call, CommittedChange, Refusal};
use wyrmgate_store::Bytes;

impl JsonContext {
    /// Changes a session for the caller. The response is stored in the same commit, if the request has a key.
    pub async fn change(
        &self,
        session: &str,
        describe: impl Fn(&CommittedChange) -> StoredResponse,
        change: impl AsyncFnOnce(Call<'_>) -> Result<Answered, Refusal>,
    ) -> Handled {
        let storing = self.storing(&describe);
        let answered = change(Call {
            session,
            token: self.token.as_ref(),
            key: self.key(),
            describe: &storing,
        });
        match (answered.await?, &self.request_key) {
            (Answered::Fresh(made), _) => Ok(describe(&made).respond()),
            (Answered::Replayed(bytes), Some(key)) => StoredResponse::replay(&bytes, key),
            (Answered::Replayed(_), None) => Err(Problem::new(ProblemCode::Internal)),
        }
    }

    /// Returns the callback that stores the response in the same commit as the change, if the request has a key.
    pub fn storing<'c, T>(
        &'c self,
        describe: impl Fn(&T) -> StoredResponse + 'c,
    ) -> impl Fn(&T) -> Bytes + 'c {
        move |done| match &self.request_key {
            Some(key) => describe(done).encode(key),
            None => Bytes::default(),
        }
    }
}
