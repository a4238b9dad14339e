//! Files in the portable format, written completely or not at all.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::super::Stop;
use crate::store::{Counts, Item, PortableReader};

/// Maximum length of a line. A session has a state of at most 256 KiB and a log, so longer lines are foreign.
const LINE_BYTES_MAX: u64 = 1 << 30;

/// The file that a command writes.
#[derive(Debug, clap::Args)]
pub struct Output {
    /// Output file; created once it is complete
    pub file: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

impl Output {
    pub fn refuse_existing(&self) -> Result<(), Stop> {
        match self.file.exists() && !self.force {
            true => Err(Stop::usage(format!(
                "{} exists; name another file, or replace it with `--force`",
                self.file.display()
            ))),
            false => Ok(()),
        }
    }
}

/// A file under construction. It gets its name when it is complete.
pub struct Draft {
    out: BufWriter<File>,
    part: PathBuf,
    path: PathBuf,
}

impl Draft {
    pub fn begin(path: &Path) -> Result<Draft, Stop> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = create_private(&part).map_err(|error| unusable(&part, error))?;
        Ok(Draft {
            out: BufWriter::new(file),
            part,
            path: path.to_owned(),
        })
    }

    pub fn write(&mut self, text: &[u8]) -> Result<(), Stop> {
        self.out
            .write_all(text)
            .map_err(|error| unusable(&self.part, error))
    }

    /// Flushes the file and gives it its name.
    pub fn finish(mut self) -> Result<(), Stop> {
        let done = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_all());
        let done = done.and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| unusable(&self.path, error))
    }
}

/// Creates a file that only its owner can read, because it contains every secret.
fn create_private(path: &Path) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Reads a whole file and passes every item to `each`. The items are trustworthy only if the whole file is valid.
pub fn verify(path: &Path, each: &mut dyn FnMut(Item) -> Result<(), Stop>) -> Result<Counts, Stop> {
    let mut lines = Lines::open(path)?;
    while let Some(item) = lines.next_item()? {
        each(item)?;
    }
    lines.finish()
}

/// The items of a file.
pub struct Lines {
    input: BufReader<File>,
    reader: PortableReader,
    path: PathBuf,
}

impl Lines {
    pub fn open(path: &Path) -> Result<Lines, Stop> {
        let file = File::open(path).map_err(|error| unusable(path, error))?;
        Ok(Lines {
            input: BufReader::new(file),
            reader: PortableReader::default(),
            path: path.to_owned(),
        })
    }

    pub fn next_item(&mut self) -> Result<Option<Item>, Stop> {
        loop {
            let mut line = Vec::new();
            let mut limited = std::io::Read::take(&mut self.input, LINE_BYTES_MAX);
            let read = limited.read_until(b'\n', &mut line);
            if read.map_err(|error| unusable(&self.path, error))? == 0 {
                return Ok(None);
            }
            let item = self.reader.line(&line);
            if let Some(item) = item.map_err(|error| unusable(&self.path, error))? {
                return Ok(Some(item));
            }
        }
    }

    pub fn finish(self) -> Result<Counts, Stop> {
        let counts = self.reader.finish();
        counts.map_err(|error| unusable(&self.path, error))
    }
}

fn unusable(path: &Path, error: impl Display) -> Stop {
    Stop::failure(format!("{}: {error}", path.display()))
}
