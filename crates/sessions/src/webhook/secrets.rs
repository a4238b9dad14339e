//! The secrets that sign messages to webhooks.

use crate::content::seed::Secrets;
use crate::content::webhook::Webhook;
use crate::webhook_sender::SigningSecret;

/// The secrets of all webhooks of a session. They are derived from the session's own secret and stored nowhere else.
pub struct WebhookSecrets([u8; 32]);

impl WebhookSecrets {
    pub(crate) fn of(secrets: &Secrets) -> WebhookSecrets {
        WebhookSecrets(secrets.token_key)
    }

    /// Returns the secret with this number, from 1.
    pub fn secret(&self, webhook: &str, number: u32) -> SigningSecret {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(b"webhook secret").update(webhook.as_bytes());
        hasher.update(&number.to_le_bytes());
        SigningSecret::new(*hasher.finalize().as_bytes())
    }

    /// Returns the secrets that sign messages, newest first.
    pub(crate) fn in_force(&self, webhook: &Webhook, now_ms: u64) -> Vec<SigningSecret> {
        if let Some(hook) = &webhook.addressee.player {
            return vec![SigningSecret::new(hook.secret)];
        }
        let has_previous = webhook
            .previous_until_ms
            .is_some_and(|until| until > now_ms);
        let previous = has_previous.then(|| webhook.secret_number.saturating_sub(1));
        let numbers = [webhook.secret_number].into_iter().chain(previous);
        numbers
            .map(|number| self.secret(&webhook.id, number))
            .collect()
    }
}
