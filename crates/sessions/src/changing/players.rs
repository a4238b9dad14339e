//! Changes in all sessions of a player: its webhook, and forgetting it.

use futures_util::future::join_all;

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::access::token::entropy;
use crate::changing::pending::PendingChange;
use crate::content::log::Declaration;
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::content::webhook::{PlayerHook, Webhook, WebhookEvent, WebhookFormat, WebhookOrder};
use crate::service::Service;
use crate::storing::listing::{Urgency, player_index};
use crate::storing::players::{DAY_MS, HookTerms, PlayerProfile, ProfileWebhook};
use crate::webhook_sender::{BrowserKeys, UnfitKeys};
use wyrmgate_engine::EndReason;
use wyrmgate_runtime::surroundings::now_ms;

/// Maximum number of browsers that get messages for a player.
const BROWSERS_MAX: usize = 5;
/// Number of sessions read at a time.
const READ_AHEAD: usize = 100;

impl Service {
    /// Removes a player from all sessions, and its name from everything that is shown of them. It leaves the games that are
    /// not over.
    pub async fn forget_player(&self, player: PlayerId) -> Result<(), Refusal> {
        self.change_player(player, &|profile| *profile = PlayerProfile::default())
            .await?;
        self.forget_messages(player).await?;
        self.forget_entrant(player).await?;
        let forget = |change: PendingChange| without(change, player);
        self.in_all_sessions(player, None, &forget).await?;
        // A game may have been rated meanwhile. No session names the player any more, so none is from now on.
        self.change_player(player, &|profile| *profile = PlayerProfile::default())
            .await?;
        Ok(())
    }

    /// Gives a player this webhook, in all sessions, instead of the one before; returns it with its secret. With tags, it is that
    /// of the holder of a key.
    pub async fn put_player_webhook(
        &self,
        player: PlayerId,
        order: Option<&WebhookOrder>,
        terms: HookTerms,
    ) -> Result<Option<ProfileWebhook>, Refusal> {
        let webhook = match order {
            Some(order) => {
                self.may_call(order)?;
                Some(ProfileWebhook {
                    id: self.webhook_id()?,
                    order: order.clone(),
                    secret: entropy()?,
                    tags: terms.tags,
                    push: None,
                })
            }
            None => None,
        };
        let now = now_ms();
        let put = |profile: &mut PlayerProfile| {
            profile.webhook.clone_from(&webhook);
            let first = profile
                .digested_ms
                .map_or(now, |last| now.max(last.saturating_add(DAY_MS)));
            profile.digest_at_ms = terms.is_daily.then_some(first);
        };
        let profile = self.change_player(player, &put).await?;
        self.put_hooks(player, &profile).await?;
        Ok(webhook)
    }

    /// Tells a player by way of the push service of a browser, at this address.
    pub async fn put_browser(
        &self,
        player: PlayerId,
        endpoint: &str,
        keys: &BrowserKeys,
    ) -> Result<(), Refusal> {
        let order = WebhookOrder {
            url: endpoint.to_owned(),
            events: vec![WebhookEvent::Owed, WebhookEvent::Finished],
            format: WebhookFormat::Json,
        };
        self.may_call(&order)?;
        let unfit = |unfit: UnfitKeys| Refusal::unprocessable("/keys", unfit.to_string());
        keys.seal(&[]).map_err(unfit)?;
        let new = ProfileWebhook {
            id: self.webhook_id()?,
            order,
            secret: [0; 32],
            tags: None,
            push: Some(keys.clone()),
        };
        let put = |profile: &mut PlayerProfile| {
            profile.browsers.retain(|known| known.order.url != endpoint);
            let before = profile.browsers.len().saturating_sub(BROWSERS_MAX - 1);
            profile.browsers.drain(..before);
            profile.browsers.push(new.clone());
        };
        let profile = self.change_player(player, &put).await?;
        self.put_hooks(player, &profile).await
    }

    /// Tells a player no more by way of these browsers.
    pub async fn remove_browsers(
        &self,
        player: PlayerId,
        is_gone: &(dyn Fn(&ProfileWebhook) -> bool + Sync),
    ) -> Result<(), Refusal> {
        let remove = |profile: &mut PlayerProfile| profile.browsers.retain(|known| !is_gone(known));
        let profile = self.change_player(player, &remove).await?;
        self.put_hooks(player, &profile).await
    }

    /// Tells of all sessions of a player that go on as the profile says.
    async fn put_hooks(&self, player: PlayerId, profile: &PlayerProfile) -> Result<(), Refusal> {
        let replace = |mut change: PendingChange| {
            change.put_player_hooks(player, profile);
            Ok(change)
        };
        let going_on = *Urgency::Finished.scores().end();
        self.in_all_sessions(player, Some(going_on), &replace).await
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
            let query = player_index(player).page(after, READ_AHEAD);
            let page = self.list(query).await?;
            let is_wanted = |score: u64| above.is_none_or(|above| score > above);
            let wanted = page.items.iter().filter(|listed| is_wanted(listed.score));
            let written = wanted.map(|listed| self.write_own(&listed.session, change));
            for written in join_all(written).await {
                match written {
                    Ok(_) | Err(Refusal::NotFound) => {}
                    Err(refusal) => return Err(refusal),
                }
            }
            after = page
                .next
                .filter(|_| page.items.iter().all(|of| is_wanted(of.score)));
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
        self.put_player_hooks(player, profile);
    }

    /// Gives a player its webhook and its browsers in this session, instead of those before. Without a seat here, it has none. The
    /// holder of the key that created the session has one if the tags match.
    pub(crate) fn put_player_hooks(&mut self, player: PlayerId, profile: &PlayerProfile) {
        let seats: Vec<u8> = self.status().seats_of(player).collect();
        let (now_ms, version) = (self.entry.at_ms, self.before.version());
        let labels = &self.before.facts.labels;
        let has_tag = |tags: &Vec<String>| {
            tags.is_empty() || tags.iter().any(|tag| labels.tags.contains(tag))
        };
        let is_told = |new: &&ProfileWebhook| match &new.tags {
            Some(tags) => labels.key_holder() == Some(player) && has_tag(tags),
            None => !seats.is_empty(),
        };
        let wanted: Vec<&ProfileWebhook> = profile.hooks().filter(is_told).collect();
        let is_theirs = |webhook: &Webhook| webhook.player() == Some(player);
        let had = self.status().webhooks.as_ref();
        let had = had.is_some_and(|webhooks| webhooks.all.iter().any(is_theirs));
        if !had && wanted.is_empty() {
            return;
        }
        let status = self.status_mut();
        let webhooks = status.webhooks.get_or_insert_default();
        // One that stays goes on with what it has not told yet.
        let stays = |webhook: &Webhook| wanted.iter().any(|new| new.id == webhook.id);
        webhooks
            .all
            .retain(|webhook| !is_theirs(webhook) || stays(webhook));
        for new in wanted {
            if !webhooks.all.iter().any(|webhook| webhook.id == new.id) {
                let mut webhook = Webhook::new(&new.id, &new.order, version, now_ms);
                webhook.addressee.push.clone_from(&new.push);
                webhooks.all.push(webhook);
            }
            let own = webhooks.all.iter_mut().find(|webhook| webhook.id == new.id);
            if let Some(own) = own {
                own.addressee.player = Some(new.of(player, seats.clone()));
            }
        }
        webhooks.tidy();
        status.webhooks = status.webhooks.take().filter(|left| !left.all.is_empty());
    }
}

impl ProfileWebhook {
    pub(crate) fn of(&self, player: PlayerId, seats: Vec<u8>) -> PlayerHook {
        PlayerHook {
            player,
            seats,
            secret: self.secret,
        }
    }
}

fn without(mut change: PendingChange, player: PlayerId) -> Result<PendingChange, Refusal> {
    let seats: Vec<u8> = change.status().seats_of(player).collect();
    change.put_player_hooks(player, &PlayerProfile::default());
    let status = change.status_mut();
    let waiting = status
        .roster
        .reserved
        .extract_if(.., |of| of.player == player);
    let waiting: Vec<u8> = waiting.map(|of| of.seat).collect();
    let was_host = status.roster.host == Some(player);
    status.roster.host = status.roster.host.filter(|_| !was_host);
    status.roster.nameless.extend(&seats);
    if let Some(contest) = &mut status.roster.contest {
        contest.forget(player, &seats);
    }
    for number in seats.iter().chain(&waiting) {
        change.declare(Some(*number), Declaration::Forgotten);
    }
    if was_host {
        change.declare(None, Declaration::Forgotten);
    }
    for number in seats {
        if change.before.stage() != Stage::Finished {
            change.leave_game(number, EndReason::Resigned)?;
        }
        if let Some(Seat::Taken { name, player, .. }) = change.status_mut().seat_mut(number) {
            (*name, *player) = (None, None);
        }
    }
    match waiting.first() {
        Some(invited) => change.close_if_declined(*invited),
        None => change.close_if_deserted(),
    }
    Ok(change)
}
