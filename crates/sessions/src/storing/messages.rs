//! Where the messages of a table are stored.

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::messages::{MessageBoard, TableMessage};
use crate::service::Service;
use crate::storing::records::RecordChange;
use wyrmgate_store::{Index, Listing, Subscription};

/// Number of records read at a time.
const READ_AHEAD: usize = 100;

impl Service {
    /// Returns the messages of a session, with a number that grows whenever they change.
    pub async fn messages(&self, session: &str) -> Result<(MessageBoard, u64), Refusal> {
        self.kept_record(&board_of(session)).await
    }

    /// Subscribes to the messages of a session.
    pub async fn subscribe_messages(&self, session: &str) -> Result<Subscription, Refusal> {
        Ok(self.store.subscribe(&board_of(session)).await?)
    }

    /// Changes the messages of a session. The number is that of the change.
    pub(crate) async fn change_messages(
        &self,
        record: &str,
        change: &(dyn Fn(&mut MessageBoard, u64) -> Result<(), Refusal> + Sync),
    ) -> Result<(), Refusal> {
        let change = |board: &mut MessageBoard, version: u64| {
            change(board, version)?;
            Ok(RecordChange {
                is_announced: true,
                stays: false,
                listing: Some(by_author(board)),
            })
        };
        self.change_record(record, &change).await.map(|_| ())
    }

    /// Removes the messages of a session.
    pub(crate) async fn remove_messages(&self, session: &str) -> Result<(), Refusal> {
        self.store.remove(&board_of(session)).await?;
        Ok(())
    }

    /// Removes the texts of a player, and its name, from the messages of all sessions, also of those that it has left.
    pub(crate) async fn forget_messages(&self, player: PlayerId) -> Result<(), Refusal> {
        let is_theirs = |message: &&mut TableMessage| message.player == Some(player);
        let forget = |board: &mut MessageBoard, version: u64| {
            let theirs = board.all.iter_mut().filter(is_theirs);
            theirs.for_each(|message| message.forget(version));
            Ok(())
        };
        let mut after = None;
        loop {
            let index = Index::AUTHORS.of(&player.to_string());
            let page = self.list(index.page(after, READ_AHEAD)).await?;
            for listed in page.items {
                self.change_messages(&listed.session, &forget).await?;
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }
}

/// Lists a record by the players who have written there, so that they can be forgotten.
fn by_author(board: &MessageBoard) -> Listing {
    let players = board.all.iter().filter_map(|message| message.player);
    let mut players: Vec<PlayerId> = players.collect();
    players.sort_unstable();
    players.dedup();
    let placed = players
        .into_iter()
        .map(|player| Index::AUTHORS.of(&player.to_string()).at(0));
    Listing {
        placements: placed.collect(),
    }
}

/// The name is longer than any session id, so the two cannot collide.
pub(crate) fn board_of(session: &str) -> String {
    format!("messages-{session}")
}
