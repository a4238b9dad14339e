//! Transfers items between stores and files.

use std::path::Path;

use super::super::Stop;
use super::super::progress::progress_line;
use super::file::{Draft, Lines};
use super::report::{Report, name};
use crate::store::{Imported, Item, PortableWriter, Store, StoreError};

/// Writes everything to a file.
pub async fn export(from: &dyn Store, file: &Path) -> Result<Report, Stop> {
    let mut draft = Draft::begin(file)?;
    let mut writer = PortableWriter::default();
    let progress = progress_line("exported");
    draft.write(&writer.header().map_err(Stop::failure)?)?;
    let mut items = from.export().await.map_err(Stop::failure)?;
    while let Some(item) = items.recv().await {
        let line = writer.item(&item.map_err(Stop::failure)?);
        draft.write(&line.map_err(Stop::failure)?)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    let counts = writer.counts();
    draft.write(&writer.end().map_err(Stop::failure)?)?;
    draft.finish()?;
    Ok(Report::read(counts))
}

/// Imports the items of a verified file into a store.
pub async fn import(file: &Path, to: &dyn Store) -> Result<Report, Stop> {
    let mut lines = Lines::open(file)?;
    let mut report = Report::default();
    let progress = progress_line("imported");
    while let Some(item) = lines.next_item()? {
        put(item, to, &mut report).await?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    lines.finish()?;
    Ok(report)
}

/// Copies everything from one store to another.
pub async fn copy(from: &dyn Store, to: &dyn Store) -> Result<Report, Stop> {
    let mut report = Report::default();
    let progress = progress_line("copied");
    let mut items = from.export().await.map_err(Stop::failure)?;
    while let Some(item) = items.recv().await {
        put(item.map_err(Stop::failure)?, to, &mut report).await?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(report)
}

/// Writes one item to a store and verifies that it is there.
async fn put(item: Item, to: &dyn Store, report: &mut Report) -> Result<(), Stop> {
    report.read.add(&item);
    let name = name(&item);
    let wanted = item.clone();
    let done = item.import(to).await.map_err(Stop::failure)?;
    report.count(name, done);
    if done == Imported::Written && !is_there(&wanted, to).await.map_err(Stop::failure)? {
        report.missing();
    }
    Ok(())
}

async fn is_there(item: &Item, to: &dyn Store) -> Result<bool, StoreError> {
    match item {
        Item::Session(image) => Ok(to.load(&image.session).await?.as_ref() == Some(&image.record)),
        Item::Blob(digest, bytes) => Ok(to.blob(digest).await?.as_ref() == Some(bytes)),
    }
}
