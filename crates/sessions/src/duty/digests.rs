//! The daily message that games wait for a player.

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::webhook::{DeliveryOutcome, Webhook};
use crate::service::Service;
use crate::storing::listing::{LobbyEntry, Urgency, player_index};
use crate::storing::players::{DAY_MS, PlayerProfile, player_of, record_of};
use crate::webhook::message::{Message, WaitingSession};
use crate::webhook_sender::SigningSecret;
use wyrmgate_runtime::surroundings::now_ms;

/// Number of waiting games that are counted.
const COUNTED: usize = 100;
/// Time after which a message that was not delivered is sent again.
const AGAIN_MS: u64 = 3_600_000;

impl Service {
    /// Tells the player of a record what waits for it, if something does.
    pub(super) async fn send_digest(&self, record: &str) -> Result<(), Refusal> {
        let (Some(deliverer), Some(player)) = (&self.deliverer, player_of(record)) else {
            return Ok(());
        };
        let waiting = self.waiting_for(player).await?;
        let now = now_ms();
        let (before, last) = self.take_digest(player, now, !waiting.is_empty()).await?;
        let Some(hook) = before.webhook.filter(|_| !waiting.is_empty()) else {
            return Ok(());
        };
        let (id, base_url) = (self.webhook_id()?, &deliverer.base_url);
        let message = Message::digest(id, hook.order.format, &waiting, now, base_url)?;
        let mut webhook = Webhook::new(&hook.id, &hook.order, 0, now);
        webhook.addressee.player = Some(hook.of(player, Vec::new()));
        let secrets = [SigningSecret::new(hook.secret)];
        let called = deliverer.call(&self.metrics, &webhook, message, 1, &secrets);
        let outcome = called.await.map(|(delivery, _)| delivery.outcome);
        if outcome == Some(DeliveryOutcome::Delivered) {
            return Ok(());
        }
        let again = (outcome != Some(DeliveryOutcome::Gone)).then(|| now.saturating_add(AGAIN_MS));
        let put_off = |profile: &mut PlayerProfile| {
            profile.digest_at_ms = profile.digest_at_ms.and(again);
            profile.digested_ms = last;
        };
        self.change_player(player, &put_off).await.map(|_| ())
    }

    async fn waiting_for(&self, player: PlayerId) -> Result<Vec<WaitingSession>, Refusal> {
        let query = player_index(player).page(None, COUNTED);
        let items = self.list(query).await?.items.into_iter();
        let owing = items.filter(|listed| Urgency::Owing.scores().contains(&listed.score));
        let waiting = owing.map(|listed| {
            Ok(WaitingSession {
                game: LobbyEntry::read(&listed)?.game,
                session: listed.session,
                url: None,
            })
        });
        waiting.collect()
    }

    /// Puts the next message off by a day, unless another node has done so: then it sends this one. Returns the profile, and when
    /// the message before was sent.
    async fn take_digest(
        &self,
        player: PlayerId,
        now_ms: u64,
        is_sent: bool,
    ) -> Result<(PlayerProfile, Option<u64>), Refusal> {
        let last = self.player(player).await?.digested_ms;
        let take = |profile: &mut PlayerProfile, _: u64| {
            let is_due = profile.digest_at_ms.is_some_and(|at| at <= now_ms);
            if !is_due || profile.digested_ms != last {
                return Err(Refusal::NotFound);
            }
            let before = profile.listing();
            profile.digest_at_ms = Some(now_ms.saturating_add(DAY_MS));
            if is_sent {
                profile.digested_ms = Some(now_ms);
            }
            Ok(profile.written(&before, false)?)
        };
        let taken = self.change_record(&record_of(player), &take).await?;
        Ok((taken, last))
    }
}
