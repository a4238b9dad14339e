//! Changes in all sessions of a player: its webhook, and forgetting it.

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::access::token::entropy;
use crate::changing::pending::PendingChange;
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::content::webhook::{PlayerHook, Webhook, WebhookOrder};
use crate::service::Service;
use crate::storing::listing::{Urgency, player_index};
use crate::storing::players::{PlayerProfile, ProfileWebhook};
use wyrmgate_store::ListQuery;

/// Number of sessions read at a time.
const READ_AHEAD: usize = 100;

impl Service {
    /// Removes a player from all sessions, and its name from everything that is shown of them. It leaves the games that are
    /// not over.
    pub async fn forget_player(&self, player: PlayerId) -> Result<(), Refusal> {
        self.change_player(player, &|profile| *profile = PlayerProfile::default())
            .await?;
        self.forget_messages(player).await?;
        let forget = |change: PendingChange| Ok(without(change, player));
        self.in_all_sessions(player, None, &forget).await
    }

    /// Gives a player this webhook, in all sessions, instead of the one before; returns it with its secret. With tags, it is that
    /// of the holder of a key.
    pub async fn put_player_webhook(
        &self,
        player: PlayerId,
        order: Option<&WebhookOrder>,
        tags: Option<Vec<String>>,
    ) -> Result<Option<ProfileWebhook>, Refusal> {
        let webhook = match order {
            Some(order) => {
                self.may_call(order)?;
                Some(ProfileWebhook {
                    id: self.webhook_id()?,
                    order: order.clone(),
                    secret: entropy()?,
                    tags,
                })
            }
            None => None,
        };
        self.change_player(player, &|profile| profile.webhook.clone_from(&webhook))
            .await?;
        let replace = |mut change: PendingChange| {
            change.put_player_webhook(player, webhook.as_ref());
            Ok(change)
        };
        let going_on = *Urgency::Finished.scores().end();
        self.in_all_sessions(player, Some(going_on), &replace)
            .await?;
        Ok(webhook)
    }

    /// Makes a change in each session of a player, or only in those with a higher score.
    async fn in_all_sessions(
        &self,
        player: PlayerId,
        above: Option<u64>,
        change: &dyn Fn(PendingChange) -> Result<PendingChange, Refusal>,
    ) -> Result<(), Refusal> {
        let mut after = None;
        loop {
            let query = ListQuery {
                index: player_index(player),
                after,
                limit: READ_AHEAD,
            };
            let page = self.list(query).await?;
            for listed in page.items {
                if above.is_some_and(|above| listed.score <= above) {
                    return Ok(());
                }
                match self.write_own(&listed.session, change).await {
                    Ok(_) | Err(Refusal::NotFound) => {}
                    Err(refusal) => return Err(refusal),
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(());
            }
        }
    }
}

impl PendingChange {
    /// Gives a player who was seated at the creation of the session its name, unless it has one, and its webhook.
    pub(crate) fn introduce(&mut self, player: PlayerId, profile: &PlayerProfile) {
        for seat in &mut self.status_mut().seats {
            if let Seat::Taken {
                name, player: of, ..
            } = seat
                && *of == Some(player)
                && name.is_none()
            {
                name.clone_from(&profile.name);
            }
        }
        self.put_player_webhook(player, profile.webhook.as_ref());
    }

    /// Gives a player its webhook in this session, instead of the one before. Without a seat here, it has none. The holder of
    /// the key that created the session has one if the tags match.
    pub(crate) fn put_player_webhook(&mut self, player: PlayerId, new: Option<&ProfileWebhook>) {
        let seats: Vec<u8> = self.status().seats_of(player).collect();
        let (now_ms, version) = (self.entry.at_ms, self.before.version());
        let is_theirs = |webhook: &Webhook| webhook.player() == Some(player);
        let labels = &self.before.facts.labels;
        let has_tag = |tags: &Vec<String>| {
            tags.is_empty() || tags.iter().any(|tag| labels.tags.contains(tag))
        };
        let is_told = |new: &&ProfileWebhook| match &new.tags {
            Some(tags) => labels.key_holder() == Some(player) && has_tag(tags),
            None => !seats.is_empty(),
        };
        let new = new.filter(is_told).map(|new| {
            let mut webhook = Webhook::new(&new.id, &new.order, version, now_ms);
            webhook.addressee.player = Some(PlayerHook {
                player,
                seats,
                secret: new.secret,
            });
            webhook
        });
        let had = self.status().webhooks.as_ref();
        let had = had.is_some_and(|webhooks| webhooks.all.iter().any(is_theirs));
        if !had && new.is_none() {
            return;
        }
        let status = self.status_mut();
        let webhooks = status.webhooks.get_or_insert_default();
        webhooks.all.retain(|webhook| !is_theirs(webhook));
        webhooks.all.extend(new);
        webhooks.tidy();
        status.webhooks = status.webhooks.take().filter(|left| !left.all.is_empty());
    }
}

fn without(mut change: PendingChange, player: PlayerId) -> PendingChange {
    let seats: Vec<u8> = change.status().seats_of(player).collect();
    change.put_player_webhook(player, None);
    let status = change.status_mut();
    status.roster.reserved.retain(|of| of.player != player);
    status.roster.nameless.extend(&seats);
    for number in seats {
        if change.before.stage() != Stage::Finished {
            change.leave_seat(number);
            continue;
        }
        if let Some(Seat::Taken { name, player, .. }) = change.status_mut().seat_mut(number) {
            (*name, *player) = (None, None);
        }
    }
    change
}
