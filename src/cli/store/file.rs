//! Files in the portable form: whole, or not there.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::super::Stop;
use crate::store::{Counts, Item, PortableReader};

/// Longer lines are none of ours: a session has a state of at most 256 KiB and a log.
const LINE_BYTES_MAX: u64 = 1 << 30;

/// A file under construction, which gets its name when it is whole.
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
        let file = create_private(&part).map_err(|error| unusable(&part, &error))?;
        Ok(Draft {
            out: BufWriter::new(file),
            part,
            path: path.to_owned(),
        })
    }

    pub fn write(&mut self, text: &[u8]) -> Result<(), Stop> {
        self.out
            .write_all(text)
            .map_err(|error| unusable(&self.part, &error))
    }

    /// On the disk, under its name.
    pub fn finish(mut self) -> Result<(), Stop> {
        let done = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_all());
        let done = done.and_then(|()| fs::rename(&self.part, &self.path));
        done.map_err(|error| unusable(&self.path, &error))
    }
}

/// For its owner only: the file holds every secret.
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

/// Reads a file to its end. `each` gets every item; what it gets is right only if the whole file turns out to be.
pub fn verify(path: &Path, each: &mut dyn FnMut(Item) -> Result<(), Stop>) -> Result<Counts, Stop> {
    let mut lines = Lines::open(path)?;
    while let Some(item) = lines.next_item()? {
        each(item)?;
    }
    lines.finish()
}

/// The items of a file, one after the other.
pub struct Lines {
    input: BufReader<File>,
    reader: PortableReader,
    path: PathBuf,
}

impl Lines {
    pub fn open(path: &Path) -> Result<Lines, Stop> {
        let file = File::open(path).map_err(|error| unusable(path, &error))?;
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
            if read.map_err(|error| unusable(&self.path, &error))? == 0 {
                return Ok(None);
            }
            let item = self.reader.line(&line);
            if let Some(item) = item.map_err(|error| damaged(&self.path, error))? {
                return Ok(Some(item));
            }
        }
    }

    pub fn finish(self) -> Result<Counts, Stop> {
        let counts = self.reader.finish();
        counts.map_err(|error| damaged(&self.path, error))
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> Stop {
    Stop::failure(format!("{}: {error}", path.display()))
}

fn damaged(path: &Path, error: crate::store::PortableError) -> Stop {
    Stop::failure(format!("{}: {error}", path.display()))
}
