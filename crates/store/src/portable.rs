//! The portable format of a store, which every engine can read: JSON Lines with bytes in Base64.
//!
//! ```text
//! {"wyrmgate_store":1}
//! {"session":"…","revision":7,"version":4, … }        one line per session
//! {"blob":"9f…","bytes":"…"}                          one line per ruleset
//! {"end":{"sessions":1,"blobs":1,"digest":"3a…"}}     BLAKE3 of all previous lines
//! ```

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::bytes::{Bytes, Secret};
use super::image::{Image, Item};
use super::listing::{Index, Listing, Placement};
use super::mark::ChangeMark;
use super::types::{ChangeEntry, Position, Recorded, SessionRecord};
use wyrmgate_base::hex;
use wyrmgate_base::presume::{BrokenInvariant, Presume};

/// The format number that this version writes and reads.
const FORMAT: u32 = 1;

/// Why a file is foreign or incomplete.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortableError {
    #[error("line {line}: {problem}")]
    Malformed { line: u64, problem: String },
    #[error("the file has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    #[error("the file is incomplete: its last line is missing")]
    Truncated,
    #[error("line {line}: the checksums differ; the file has changed since it was written")]
    Damaged { line: u64 },
}

/// Number of items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub sessions: u64,
    pub blobs: u64,
}

impl Counts {
    pub fn add(&mut self, item: &Item) {
        match item {
            Item::Session(_) => self.sessions += 1,
            Item::Blob(..) => self.blobs += 1,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    Session(Box<SessionLine>),
    Blob { blob: String, bytes: Base64 },
    Header { wyrmgate_store: u32 },
    End { end: End },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    sessions: u64,
    blobs: u64,
    digest: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SessionLine {
    session: String,
    revision: u64,
    version: u64,
    mark: String,
    version_mark: String,
    expires_at_ms: Option<u64>,
    fixed: Base64,
    status: Base64,
    snapshot: Base64,
    secret: Option<Base64>,
    /// Marks and bytes, from version 1.
    log: Vec<(String, Base64)>,
    /// Key, version, fingerprint, response.
    answers: Vec<(String, u64, String, Base64)>,
    /// Index and score.
    places: Vec<(String, u64)>,
}

/// Bytes as Base64 text.
struct Base64(Bytes);

impl Serialize for Base64 {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
        Ok(Base64(bytes.into()))
    }
}

/// Writes the lines of a file.
#[derive(Default)]
pub struct PortableWriter {
    sum: blake3::Hasher,
    counts: Counts,
}

impl PortableWriter {
    pub fn header(&mut self) -> Result<Vec<u8>, BrokenInvariant> {
        self.line(&Line::Header {
            wyrmgate_store: FORMAT,
        })
    }

    pub fn item(&mut self, item: &Item) -> Result<Vec<u8>, BrokenInvariant> {
        self.counts.add(item);
        let line = match item {
            Item::Session(image) => Line::Session(Box::new(SessionLine::of(image))),
            Item::Blob(digest, bytes) => Line::Blob {
                blob: hex::encode(digest),
                bytes: Base64(bytes.clone()),
            },
        };
        self.line(&line)
    }

    /// Returns the last line, without which the file is incomplete.
    pub fn end(&mut self) -> Result<Vec<u8>, BrokenInvariant> {
        let end = End {
            sessions: self.counts.sessions,
            blobs: self.counts.blobs,
            digest: self.sum.finalize().to_hex().to_string(),
        };
        self.line(&Line::End { end })
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn line(&mut self, line: &Line) -> Result<Vec<u8>, BrokenInvariant> {
        let mut text = serde_json::to_vec(line).presume("lines of an export serialize to JSON")?;
        text.push(b'\n');
        self.sum.update(&text);
        Ok(text)
    }
}

/// Reads the lines of a file.
#[derive(Default)]
pub struct PortableReader {
    sum: blake3::Hasher,
    counts: Counts,
    lines: u64,
    has_ended: bool,
}

impl PortableReader {
    /// Returns the item in the next line (with its line break). The first and the last line contain none.
    pub fn line(&mut self, text: &[u8]) -> Result<Option<Item>, PortableError> {
        self.lines += 1;
        let number = self.lines;
        let malformed = |problem: String| PortableError::Malformed {
            line: number,
            problem,
        };
        let line: Line = serde_json::from_slice(text)
            .map_err(|_| malformed("not a line of a store export".to_owned()))?;
        let item = match line {
            Line::Header { wyrmgate_store } if number == 1 => match wyrmgate_store {
                FORMAT => None,
                other => return Err(PortableError::Format(other)),
            },
            Line::Session(session) if number > 1 => {
                let image = session
                    .read()
                    .ok_or_else(|| malformed("damaged".to_owned()))?;
                Some(Item::Session(Box::new(image)))
            }
            Line::Blob { blob, bytes } if number > 1 => {
                let digest = hex::decode(&blob).ok_or_else(|| malformed("damaged".to_owned()))?;
                Some(Item::Blob(digest, bytes.0))
            }
            Line::End { end } if number > 1 => return self.end(&end).map(|()| None),
            _ => return Err(malformed("unexpected line".to_owned())),
        };
        self.sum.update(text);
        item.iter().for_each(|item| self.counts.add(item));
        Ok(item)
    }

    fn end(&mut self, end: &End) -> Result<(), PortableError> {
        let counts = Counts {
            sessions: end.sessions,
            blobs: end.blobs,
        };
        if counts != self.counts || end.digest != self.sum.finalize().to_hex().as_str() {
            return Err(PortableError::Damaged { line: self.lines });
        }
        self.has_ended = true;
        Ok(())
    }

    /// Returns the number of items if the file was complete.
    pub fn finish(&self) -> Result<Counts, PortableError> {
        match self.has_ended {
            true => Ok(self.counts),
            false => Err(PortableError::Truncated),
        }
    }
}

impl SessionLine {
    fn of(image: &Image) -> SessionLine {
        let record = &image.record;
        let entry = |entry: &ChangeEntry| (entry.mark.to_string(), Base64(entry.bytes.clone()));
        let answers = image.answers.iter().map(|(key, recorded)| {
            let fingerprint = hex::encode(&recorded.fingerprint);
            let answer = Base64(recorded.answer.clone());
            (hex::encode(key), recorded.version, fingerprint, answer)
        });
        let place = |place: &Placement| (place.index.name().to_owned(), place.score);
        SessionLine {
            session: image.session.clone(),
            revision: record.position.revision,
            version: record.position.version,
            mark: record.mark.to_string(),
            version_mark: record.version_mark.to_string(),
            expires_at_ms: record.expires_at_ms,
            fixed: Base64(record.fixed.clone()),
            status: Base64(record.status.clone()),
            snapshot: Base64(record.snapshot.clone()),
            secret: image.secret.as_ref().map(|secret| Base64(secret.0.clone())),
            log: image.log.iter().map(entry).collect(),
            answers: answers.collect(),
            places: image.listing.placements.iter().map(place).collect(),
        }
    }

    fn read(self) -> Option<Image> {
        let mark = |text: &str| text.parse::<ChangeMark>().ok();
        let entry = |(version, (of, bytes)): (u64, (String, Base64))| {
            let bytes = bytes.0;
            let mark = mark(&of)?;
            Some(ChangeEntry {
                version,
                mark,
                bytes,
            })
        };
        let answers = self.answers.into_iter();
        let answers = answers.map(|(key, version, fingerprint, answer)| {
            let recorded = Recorded {
                version,
                fingerprint: hex::decode(&fingerprint)?,
                answer: answer.0,
            };
            Some((hex::decode(&key)?, recorded))
        });
        let placements = self
            .places
            .into_iter()
            .map(|(index, score)| Index::named(&index).at(score));
        Some(Image {
            record: SessionRecord {
                position: Position {
                    revision: self.revision,
                    version: self.version,
                },
                mark: mark(&self.mark)?,
                version_mark: mark(&self.version_mark)?,
                fixed: self.fixed.0,
                status: self.status.0,
                snapshot: self.snapshot.0,
                expires_at_ms: self.expires_at_ms,
            },
            session: self.session,
            secret: self.secret.map(|secret| Secret(secret.0)),
            log: (1..).zip(self.log).map(entry).collect::<Option<_>>()?,
            answers: answers.collect::<Option<_>>()?,
            listing: Listing {
                placements: placements.collect(),
            },
        })
    }
}
