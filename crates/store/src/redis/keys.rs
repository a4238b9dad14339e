//! The names of all keys in Redis.
//!
//! The keys of a session and the indexes of its bucket share a hash tag, so that they live in one cluster slot and
//! change in one atomic step.

use wyrmgate_base::hex;

use super::super::listing::place_of;
use super::super::{Digest, Index};

/// Number of buckets for sessions. Part of the layout; never change it.
pub(super) const BUCKETS: u16 = 1024;

/// Returns the hash tag of a bucket.
pub(super) fn tag(bucket: u16) -> String {
    ["{", &number(bucket), "}"].concat()
}

/// Returns the text between the braces, which alone determines the slot.
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
        let bucket = place_of(session) % BUCKETS;
        Keys {
            bucket,
            tag: tag(bucket),
            id: session.to_owned(),
        }
    }

    /// Returns the key of the hash with counters, state and everything that is read together.
    pub(super) fn hash(&self) -> String {
        self.key("s:")
    }

    /// Returns the key of the stream with one entry per version.
    pub(super) fn log(&self) -> String {
        self.key("e:")
    }

    /// Returns the key of the map from idempotency keys to versions and responses.
    pub(super) fn answers(&self) -> String {
        self.key("i:")
    }

    /// Returns the key of the secret.
    pub(super) fn secret(&self) -> String {
        self.key("k:")
    }

    /// Returns all keys of a session, in the order in which scripts expect them.
    pub(super) fn all(&self) -> [String; 4] {
        [self.hash(), self.log(), self.answers(), self.secret()]
    }

    /// Returns the key that a script names last if it writes to lists of the bucket, whose names it learns only while it
    /// runs. The key never exists. While the slot of the bucket moves to another master, servers refuse with `TRYAGAIN`
    /// every script that names several keys of which one does not exist; otherwise it has no effect. Without it, the script
    /// would stop half-way at the first list that is not there, or write a list on both masters.
    pub(super) fn settled(&self) -> String {
        [&self.tag, "!"].concat()
    }

    /// Returns the channel that announces new versions.
    pub(super) fn channel(&self) -> String {
        self.key("c:")
    }

    fn key(&self, kind: &str) -> String {
        [&self.tag, kind, &self.id].concat()
    }
}

/// Returns the member of a list that names a session.
pub(super) fn member(score: u64, session: &str) -> String {
    format!("{score:016x}{session}")
}

/// Returns the key of a bucket's list.
pub(super) fn list(index: &Index, bucket: u16) -> String {
    [&tag(bucket), index.name()].concat()
}

/// Returns the key of the store's identity in a bucket.
pub(super) fn identity(bucket: u16) -> String {
    [&tag(bucket), "identity"].concat()
}

/// Returns the channel on which nodes announce due work. Channels are global to a server, so databases must not mix.
/// The name has the form of a session's channel, so that a user with access to those has access to it.
pub(super) fn channel_of_due(database: i64) -> String {
    format!("{{due}}c:{database}")
}

/// Returns the session of a channel.
pub(super) fn session_of_channel(channel: &str) -> Option<&str> {
    channel.split_once("}c:").map(|(_, session)| session)
}

/// Returns the key of immutable bytes by digest; not part of any session.
pub(super) fn blob(digest: &Digest) -> String {
    format!("blob:{}", hex::encode(digest))
}

/// Returns the digest in such a key.
pub(super) fn digest_of_blob(key: &str) -> Option<Digest> {
    hex::decode(key.strip_prefix("blob:")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_pinned() {
        let keys = Keys::of("AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(keys.hash(), "{515}s:AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(keys.settled(), "{515}!");
        assert_eq!(
            session_of_channel(&keys.channel()),
            Some("AAAAAAAAAAAAAAAAAAAAAA")
        );
    }
}
