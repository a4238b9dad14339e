//! The names of everything we keep in Redis.
//!
//! A session's keys and the indexes of its bucket carry the same hash tag, so that they live in one
//! slot of a cluster and change in one atomic step.

use super::super::Digest;

/// How many buckets the sessions are spread over. Part of the layout: never change it.
pub(super) const BUCKETS: u16 = 1024;

/// The hash tag of a bucket.
pub(super) fn tag(bucket: u16) -> String {
    ["{", &number(bucket), "}"].concat()
}

/// What is between the braces, which alone decides the slot.
pub(super) fn number(bucket: u16) -> String {
    bucket.to_string()
}

/// The keys of one session.
pub(super) struct Keys {
    pub(super) bucket: u16,
    pub(super) tag: String,
    id: String,
}

impl Keys {
    pub(super) fn of(session: &str) -> Self {
        let [low, high, ..] = *blake3::hash(session.as_bytes()).as_bytes();
        let bucket = u16::from_le_bytes([low, high]) % BUCKETS;
        Keys {
            bucket,
            tag: tag(bucket),
            id: session.to_owned(),
        }
    }

    /// Counters, state and the rest that is read together.
    pub(super) fn hash(&self) -> String {
        self.key("s:")
    }

    /// A stream with one entry per version.
    pub(super) fn log(&self) -> String {
        self.key("e:")
    }

    /// Idempotency key → version and answer.
    pub(super) fn answers(&self) -> String {
        self.key("i:")
    }

    /// The secret.
    pub(super) fn secret(&self) -> String {
        self.key("k:")
    }

    /// What a session has, in the order in which scripts are told it.
    pub(super) fn all(&self) -> [String; 4] {
        [self.hash(), self.log(), self.answers(), self.secret()]
    }

    /// The channel that says the new version.
    pub(super) fn channel(&self) -> String {
        self.key("c:")
    }

    fn key(&self, kind: &str) -> String {
        [&self.tag, kind, &self.id].concat()
    }
}

/// The channel on which nodes tell each other what is due. Channels are those of a whole server: its databases must not
/// mix. The form is that of a session's channel, so that a user who may hear those may hear it too.
pub(super) fn channel_of_due(database: i64) -> String {
    format!("{{due}}c:{database}")
}

/// The session a channel belongs to.
pub(super) fn session_of_channel(channel: &str) -> Option<&str> {
    channel.split_once("}c:").map(|(_, session)| session)
}

/// Immutable bytes by digest; not part of any session.
pub(super) fn blob(digest: &Digest) -> String {
    format!("blob:{}", blake3::Hash::from_bytes(*digest).to_hex())
}

/// The digest in such a name.
pub(super) fn digest_of_blob(key: &str) -> Option<Digest> {
    let hash = blake3::Hash::from_hex(key.strip_prefix("blob:")?).ok()?;
    Some(*hash.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_pinned() {
        let keys = Keys::of("AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(keys.hash(), "{515}s:AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(
            session_of_channel(&keys.channel()),
            Some("AAAAAAAAAAAAAAAAAAAAAA")
        );
    }
}
