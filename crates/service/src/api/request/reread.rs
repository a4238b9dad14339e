//! Files of an operator that take effect when they change, without a restart. They are looked at again at most twice a second.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;

/// Interval between checks of a file for changes.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// Why such a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the {subject} in `{file}`: {problem}")]
pub struct UnreadableFile {
    subject: &'static str,
    file: String,
    problem: String,
}

/// Reads the text of a file, given what was read before, or says what is wrong with it.
pub type ReadText<T> = fn(&str, &T) -> Result<T, String>;

/// The contents of a file, never older than half a second.
#[derive(Debug)]
pub struct RereadFile<T> {
    /// The contents, as messages call them.
    subject: &'static str,
    file: PathBuf,
    read: ReadText<T>,
    last: Mutex<LastRead<T>>,
}

#[derive(Debug)]
struct LastRead<T> {
    contents: Arc<T>,
    changed: Option<SystemTime>,
    looked: Instant,
}

impl<T: Default> RereadFile<T> {
    pub fn open(
        subject: &'static str,
        file: &Path,
        read: ReadText<T>,
    ) -> Result<RereadFile<T>, UnreadableFile> {
        let opened = RereadFile {
            subject,
            file: file.to_owned(),
            read,
            last: Mutex::new(LastRead {
                contents: Arc::default(),
                changed: changed(file),
                looked: Instant::now(),
            }),
        };
        let contents = opened.contents(&T::default())?;
        opened.last.lock().contents = Arc::new(contents);
        Ok(opened)
    }

    /// Returns the current contents. If the file cannot be read, there are none, not even those read before.
    pub fn present(&self) -> Arc<T> {
        let mut last = self.last.lock();
        if last.looked.elapsed() >= LOOK_AGAIN {
            last.looked = Instant::now();
            let changed = changed(&self.file);
            if changed.is_none() || changed != last.changed {
                last.changed = changed;
                let contents = self.contents(&last.contents).unwrap_or_else(|error| {
                    tracing::error!(%error, "none of them is valid any more");
                    T::default()
                });
                last.contents = Arc::new(contents);
                let file = self.file.display();
                tracing::info!(target: "audit", subject = self.subject, %file, "reread");
            }
        }
        last.contents.clone()
    }

    fn contents(&self, before: &T) -> Result<T, UnreadableFile> {
        let text = std::fs::read_to_string(&self.file).map_err(|error| error.to_string());
        let contents = text.and_then(|text| (self.read)(&text, before));
        contents.map_err(|problem| UnreadableFile {
            subject: self.subject,
            file: self.file.display().to_string(),
            problem,
        })
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file)
        .and_then(|about| about.modified())
        .ok()
}
