//! The writer thread: takes all queued writes, executes them in one transaction, and answers after the flush. While the
//! disk works, the next group gathers, so that many writers share one flush.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use tokio::sync::{mpsc, oneshot};

use super::super::agenda::Agendas;
use super::super::clock::now_ms;
use super::super::image::{Image, Imported};
use super::super::notifier::{Notification, Notifier};
use super::super::{Bytes, Commit, Committed, Create, Created, Digest, Listing, StoreError};
use super::file::File;
use super::tables::Tables;

/// Maximum number of writes in a transaction, to limit the wait.
const GROUP: usize = 256;
/// Size of the queue. Further writers wait before they are queued.
const QUEUE: usize = 1024;
/// Number of expired sessions that each transaction removes.
const BURIALS: usize = 8;

/// A write, with the channel for its result.
pub(super) enum Job {
    Create(Create, Reply<Created>),
    Commit(Commit, Reply<Committed>),
    Remove(String, Reply<bool>),
    PutBlob(Digest, Bytes, Reply<()>),
    Import(Box<Image>, Reply<Imported>),
}

pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// A finished job that waits for the flush: sends its result, or the error of the group.
type Answer = Box<dyn FnOnce(Option<StoreError>, &Listeners) + Send>;

/// Receivers of news about writes.
#[derive(Default)]
pub(super) struct Listeners {
    pub(super) hub: Arc<Notifier>,
    pub(super) agendas: Agendas,
}

/// The queue of the thread. Dropping it waits until everything queued is written.
pub(super) struct Writer {
    queue: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    last_failed: Arc<AtomicBool>,
}

impl Writer {
    pub(super) fn start(file: Arc<File>, listeners: Arc<Listeners>) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let last_failed = Arc::new(AtomicBool::new(false));
        let failed = last_failed.clone();
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || work(&file, &listeners, jobs, &failed))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Writer {
            queue: Some(queue),
            thread: Some(thread),
            last_failed,
        })
    }

    /// Queues a job and waits for its result.
    pub(super) async fn ask<T>(&self, job: impl FnOnce(Reply<T>) -> Job) -> Result<T, StoreError> {
        let gone = || StoreError::Unavailable("the writer has stopped".to_owned());
        let queue = self.queue.as_ref().ok_or_else(gone)?;
        let (reply, answer) = oneshot::channel();
        queue.send(job(reply)).await.map_err(|_| gone())?;
        let lost =
            |_| StoreError::OutcomeUnknown("the writer stopped before it responded".to_owned());
        answer.await.map_err(lost)?
    }

    /// Returns whether the latest transaction failed. Reads may still work from memory, but nothing is persisted.
    pub(super) fn last_failed(&self) -> bool {
        self.last_failed.load(Ordering::Relaxed)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has nothing left to write.
            let _ = thread.join();
        }
    }
}

fn work(
    file: &File,
    listeners: &Listeners,
    mut jobs: mpsc::Receiver<Job>,
    last_failed: &AtomicBool,
) {
    let mut group = Vec::with_capacity(GROUP);
    while jobs.blocking_recv_many(&mut group, GROUP) > 0 {
        let mut answers = Vec::with_capacity(group.len());
        let fault = run(file, group.drain(..), &mut answers).err();
        last_failed.store(fault.is_some(), Ordering::Relaxed);
        for answer in answers {
            answer(fault.clone(), listeners);
        }
    }
}

/// Runs a group in one transaction. Every job gets a result, even if an error ends the group.
fn run(
    file: &File,
    group: impl Iterator<Item = Job>,
    answers: &mut Vec<Answer>,
) -> Result<(), StoreError> {
    let mut group = group;
    let result = write_group(file, &mut group, answers);
    if let Err(fault) = &result {
        // Jobs that did not run because of the error.
        answers.extend(group.map(|job| refuse(job, fault.clone())));
    }
    result
}

fn write_group(
    file: &File,
    group: &mut impl Iterator<Item = Job>,
    answers: &mut Vec<Answer>,
) -> Result<(), StoreError> {
    file.write(|write| {
        let tables = Tables::open(write, now_ms());
        // The tables that could be opened keep this transaction alive, and the next one would wait for it forever.
        let mut tables = tables.inspect_err(|_| file.close_for_writing())?;
        let mut written = false;
        for job in group {
            let (changed, answer) = perform(file, &mut tables, job);
            answers.push(answer);
            written |= changed?;
        }
        if written {
            tables.bury_expired(BURIALS)?;
        }
        Ok(written)
    })
}

/// Whether a job wrote something, or the error that ends its group.
type Changed = Result<bool, StoreError>;

/// Runs a job. A damaged page is an error like any other.
fn perform(file: &File, tables: &mut Tables<'_>, job: Job) -> (Changed, Answer) {
    match job {
        Job::Create(create, reply) => {
            let result = file.attempt(|| tables.create(&create));
            let tell = move |done: &Created, listeners: &Listeners| {
                if matches!(done, Created::Done(_)) {
                    listeners.agendas.placed(&create.listing);
                }
            };
            settle(result, |done| matches!(done, Created::Done(_)), reply, tell)
        }
        Job::Commit(commit, reply) => {
            let result = file.attempt(|| tables.commit(&commit));
            let tell = move |done: &Committed, listeners: &Listeners| {
                if let Committed::Done(now) = done {
                    tell_commit(&commit, now.version, listeners);
                }
            };
            settle(
                result,
                |done| matches!(done, Committed::Done(_)),
                reply,
                tell,
            )
        }
        Job::Remove(session, reply) => {
            let result = file.attempt(|| tables.remove(&session));
            let tell = move |lived: &bool, listeners: &Listeners| {
                if *lived {
                    listeners.hub.notify(&session, Notification::Removed);
                }
            };
            settle(result, |lived| *lived, reply, tell)
        }
        Job::Import(image, reply) => {
            let result = file.attempt(|| tables.import(&image));
            let tell = move |done: &Imported, listeners: &Listeners| {
                if matches!(done, Imported::Written) {
                    listeners.agendas.placed(&image.listing);
                }
            };
            settle(
                result,
                |done| matches!(done, Imported::Written),
                reply,
                tell,
            )
        }
        Job::PutBlob(digest, bytes, reply) => {
            let result = file.attempt(|| tables.put_blob(&digest, &bytes));
            settle(result, |()| true, reply, |(), _| {})
        }
    }
}

fn tell_commit(commit: &Commit, version: u64, listeners: &Listeners) {
    if commit.entry.is_some() {
        listeners
            .hub
            .notify(&commit.session, Notification::Version(version));
    }
    let listing: Option<&Listing> = commit.listing.as_ref();
    if let Some(listing) = listing {
        listeners.agendas.placed(listing);
    }
}

/// Splits a result into what the group needs now and what is sent after the flush.
fn settle<T: Send + 'static>(
    result: Result<T, StoreError>,
    wrote: impl FnOnce(&T) -> bool,
    reply: Reply<T>,
    tell: impl FnOnce(&T, &Listeners) + Send + 'static,
) -> (Changed, Answer) {
    let changed = result.as_ref().map(wrote).map_err(StoreError::clone);
    let answer: Answer = Box::new(move |fault, listeners| {
        let result = fault.map_or(result, Err);
        if let Ok(done) = &result {
            tell(done, listeners);
        }
        // The caller may have gone.
        let _ = reply.send(result);
    });
    (changed, answer)
}

fn refuse(job: Job, fault: StoreError) -> Answer {
    match job {
        Job::Create(_, reply) => settle(Err(fault), |_| false, reply, |_, _| {}).1,
        Job::Commit(_, reply) => settle(Err(fault), |_| false, reply, |_, _| {}).1,
        Job::Remove(_, reply) => settle(Err(fault), |_| false, reply, |_, _| {}).1,
        Job::Import(_, reply) => settle(Err(fault), |_| false, reply, |_, _| {}).1,
        Job::PutBlob(_, _, reply) => settle(Err(fault), |()| false, reply, |(), _| {}).1,
    }
}
