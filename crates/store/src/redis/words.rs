//! What nodes say to each other on the channel of due work, and whether a node hears itself.

use std::collections::VecDeque;

/// A node that has missed this many of its own heartbeats is deaf.
const UNHEARD: usize = 2;

/// Our own latest heartbeats.
#[derive(Default)]
pub(super) struct Beats {
    /// Oldest first.
    latest: VecDeque<Beat>,
    was_deaf: bool,
    /// Whether the latest heartbeat could not be sent by way of all masters.
    is_unsaid: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Beat {
    number: u64,
    /// Number of masters that published it. 0 while this is unknown or if some master was unreachable.
    sent: usize,
    /// How often it was received.
    pub(super) heard: usize,
}

impl Beats {
    /// Begins the next heartbeat. Returns its number, and whether nothing was received for long, and whether this has
    /// just ended.
    pub(super) fn begin(&mut self) -> (u64, bool, bool) {
        let is_deaf = self.latest.len() >= UNHEARD && !self.latest.iter().any(Beat::is_heard);
        let was_deaf = std::mem::replace(&mut self.was_deaf, is_deaf);
        let number = self.latest.back().map_or(1, |beat| beat.number + 1);
        if self.latest.len() >= UNHEARD {
            self.latest.pop_front();
        }
        self.latest.push_back(Beat {
            number,
            ..Beat::default()
        });
        (number, is_deaf, was_deaf)
    }

    /// Notes by way of how many masters a heartbeat was sent; 0 if not of all. Returns whether it is the first one that
    /// could be sent again.
    pub(super) fn said(&mut self, number: u64, masters: usize) -> bool {
        if let Some(beat) = self.of(number) {
            beat.sent = masters;
        }
        let was_unsaid = std::mem::replace(&mut self.is_unsaid, masters == 0);
        was_unsaid && masters > 0
    }

    /// Returns a heartbeat that is still remembered.
    pub(super) fn of(&mut self, number: u64) -> Option<&mut Beat> {
        self.latest.iter_mut().find(|beat| beat.number == number)
    }
}

impl Beat {
    fn is_heard(&self) -> bool {
        self.sent > 0 && self.heard >= self.sent
    }
}

/// A message on the channel.
#[derive(Debug, PartialEq)]
pub(super) enum ChannelMessage {
    /// An entry comes before all others of its bucket.
    Placed {
        index: String,
        bucket: u16,
        score: u64,
    },
    /// A node has read a bucket: this entry comes first.
    First {
        node: u64,
        index: String,
        bucket: u16,
        score: Option<u64>,
    },
    /// A node is working on due entries, for this many milliseconds.
    Held {
        node: u64,
        index: String,
        bucket: u16,
        hold_ms: u64,
    },
    /// A live node that watches these indexes.
    Beat {
        node: u64,
        number: u64,
        watches: Vec<String>,
    },
    /// A node stops.
    Bye { node: u64 },
}

impl ChannelMessage {
    /// Returns `None` for messages of later versions.
    pub(super) fn read(text: &str) -> Option<ChannelMessage> {
        let mut words = text.split(' ');
        let mut next = || words.next();
        let number = |word: Option<&str>| u64::from_str_radix(word?, 16).ok();
        let word = match next()? {
            "placed" => ChannelMessage::Placed {
                index: next()?.to_owned(),
                bucket: next()?.parse().ok()?,
                score: number(next())?,
            },
            "first" => ChannelMessage::First {
                node: number(next())?,
                index: next()?.to_owned(),
                bucket: next()?.parse().ok()?,
                score: number(next()),
            },
            "held" => ChannelMessage::Held {
                node: number(next())?,
                index: next()?.to_owned(),
                bucket: next()?.parse().ok()?,
                hold_ms: next()?.parse().ok()?,
            },
            "beat" => ChannelMessage::Beat {
                node: number(next())?,
                number: number(next())?,
                watches: next()?.split(',').map(str::to_owned).collect(),
            },
            "bye" => ChannelMessage::Bye {
                node: number(next())?,
            },
            _ => return None,
        };
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_that_hears_none_of_two_beats_is_deaf_and_looks_once_more_when_it_hears() {
        let mut beats = Beats::default();
        let mut beat = |masters: usize, heard: usize| {
            let (number, is_deaf, was_deaf) = beats.begin();
            let latest = beats.of(number).unwrap();
            (latest.sent, latest.heard) = (masters, heard);
            (is_deaf, was_deaf)
        };
        assert_eq!(beat(3, 3), (false, false));
        assert_eq!(beat(3, 2), (false, false));
        assert_eq!(beat(0, 0), (false, false), "one of two was heard");
        assert_eq!(beat(3, 3), (true, false));
        assert_eq!(beat(3, 3), (false, true));
        assert_eq!(beat(3, 3), (false, false));
    }

    #[test]
    fn the_first_beat_that_can_be_said_again_is_known() {
        let mut beats = Beats::default();
        let said: Vec<bool> = [3, 3, 0, 0, 3, 3]
            .into_iter()
            .map(|masters| {
                let (number, ..) = beats.begin();
                beats.said(number, masters)
            })
            .collect();
        assert_eq!(said, [false, false, false, false, true, false]);
    }

    #[test]
    fn what_is_said_is_understood_and_the_rest_is_not() {
        let placed = ChannelMessage::Placed {
            index: "t".to_owned(),
            bucket: 515,
            score: 255,
        };
        assert_eq!(
            ChannelMessage::read("placed t 515 00000000000000ff"),
            Some(placed)
        );
        let first = ChannelMessage::First {
            node: 10,
            index: "t".to_owned(),
            bucket: 3,
            score: None,
        };
        assert_eq!(ChannelMessage::read("first a t 3 -"), Some(first));
        for text in ["", "placed t", "sung a t 3", "beat x 1 t"] {
            assert_eq!(ChannelMessage::read(text), None, "{text}");
        }
    }
}
