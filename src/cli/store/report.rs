//! The report and the progress of a transfer.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::report::CommandReport;
use super::super::{Stop, Verdict};
use crate::store::{Counts, Imported, Item};

/// Maximum number of sessions that are named.
const NAMED_MAX: usize = 20;

/// The result of a command.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Number of items read.
    #[serde(flatten)]
    pub read: Counts,
    /// Results of writing. Absent if the command writes to no store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub put: Option<Put>,
}

/// The results of writing to a store.
#[derive(Debug, Default, Serialize)]
pub struct Put {
    pub written: u64,
    /// Number of items that existed already.
    pub same: u64,
    /// Number of items left unchanged because another item has their name.
    pub different: u64,
    /// The first few of those.
    pub different_sessions: Vec<String>,
    pub expired: u64,
    /// Number of items that were written but not found afterwards.
    pub missing: u64,
}

impl Report {
    pub fn read(read: Counts) -> Report {
        Report { read, put: None }
    }

    pub fn count(&mut self, name: Option<String>, done: Imported) {
        let put = self.put.get_or_insert_default();
        match done {
            Imported::Written => put.written += 1,
            Imported::Same => put.same += 1,
            Imported::Expired => put.expired += 1,
            Imported::Different => {
                put.different += 1;
                let has_room = put.different_sessions.len() < NAMED_MAX;
                put.different_sessions.extend(name.filter(|_| has_room));
            }
        }
    }

    pub fn missing(&mut self) {
        self.put.get_or_insert_default().missing += 1;
    }

    /// Prints the report and returns the verdict.
    pub fn tell(self, json: bool) -> Result<Verdict, Stop> {
        self.print(json);
        let put = self.put.unwrap_or_default();
        Ok(Verdict::good_if(put.different == 0 && put.missing == 0))
    }
}

impl CommandReport for Report {
    fn json(&self) -> Value {
        json!(self)
    }

    fn text(&self) -> String {
        let Counts { sessions, blobs } = self.read;
        let mut text = format!("{sessions} sessions and {blobs} rulesets read\n");
        let Some(put) = &self.put else { return text };
        text += &format!(
            "{} written, {} already there, {} expired\n",
            put.written, put.same, put.expired
        );
        if put.different > 0 {
            text += &format!(
                "{} skipped, because the target has different sessions with these ids: {}\n",
                put.different,
                put.different_sessions.join(", ")
            );
        }
        if put.missing > 0 {
            text += &format!("{} written but not found afterwards\n", put.missing);
        }
        text
    }
}

/// Returns the name of a session. Rulesets have no useful name.
pub fn name(item: &Item) -> Option<String> {
    match item {
        Item::Session(image) => Some(image.session.clone()),
        Item::Blob(..) => None,
    }
}
