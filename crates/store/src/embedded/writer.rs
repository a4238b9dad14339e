//! The writer thread: takes all queued writes, executes them in one transaction, and answers after the flush. While the
//! disk works, the next group gathers, so that many writers share one flush.

use std::collections::HashSet;
use std::slice::from_ref;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot};

use super::super::agenda::Agendas;
use super::super::clock::now_ms;
use super::super::image::{Image, Imported};
use super::super::notifier::{Notification, Notifier};
use super::super::{Bytes, Commit, Committed, Create, Created, Digest, StoreError};
use super::file::{OpenFile, guarded};
use super::tables::{EXPIRIES, OpenTables};

/// Maximum number of writes in a transaction, to limit the wait.
const GROUP: usize = 256;
/// Size of the queue. Further writers wait before they are queued.
const QUEUE: usize = 1024;
/// Number of expired sessions that are removed after each group.
const BURIALS: usize = 8;
/// A successful write within this time makes a check superfluous.
const LATELY: Duration = Duration::from_millis(500);
/// A refused write within this time shows that the disk takes no writes of its size, even if it takes small ones.
const REFUSED: Duration = Duration::from_millis(1500);

/// A write, with the channel for its result.
pub(super) enum Job {
    Create(Create, Reply<Created>),
    Commit(Commit, Reply<Committed>),
    Remove(String, Reply<bool>),
    PutBlob(Digest, Bytes, Reply<()>),
    Import(Box<Image>, Reply<Imported>),
    /// Checks whether the file can be written.
    Touch(Reply<()>),
    /// Removes an expired session.
    Bury(String),
}

pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// The result of a job.
enum Done {
    Created(Created),
    Committed(Committed),
    Removed(bool),
    Imported(Imported),
    Stored,
}

/// Receivers of news about writes.
#[derive(Default)]
pub(super) struct Listeners {
    pub(super) hub: Arc<Notifier>,
    pub(super) agendas: Agendas,
}

/// The queue of the thread. Dropping it waits until everything queued is written.
pub(super) struct WriteQueue {
    queue: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    last: Arc<Mutex<LastWrites>>,
}

#[derive(Default)]
struct LastWrites {
    /// When a transaction last succeeded, unless one has failed since.
    written: Option<Instant>,
    /// When one other than a check last failed, and why.
    refused: Option<(Instant, StoreError)>,
}

impl WriteQueue {
    pub(super) fn start(
        file: Arc<OpenFile>,
        listeners: Arc<Listeners>,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let last = Arc::<Mutex<_>>::default();
        let noted = Arc::clone(&last);
        let thread = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || work(&file, &listeners, jobs, &noted))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(WriteQueue {
            queue: Some(queue),
            thread: Some(thread),
            last,
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

    /// Returns whether a write was persisted a moment ago, and none has failed since.
    pub(super) fn has_written_lately(&self) -> bool {
        let written = self.last.lock().written;
        written.is_some_and(|at| at.elapsed() < LATELY)
    }

    /// Fails if a write has failed a moment ago.
    pub(super) fn refused_lately(&self) -> Result<(), StoreError> {
        match &self.last.lock().refused {
            Some((at, error)) if at.elapsed() < REFUSED => Err(error.clone()),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns whether the thread has ended, which it does only by a defect.
    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for WriteQueue {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A writer that panicked has nothing left to write.
            let _ = thread.join();
        }
    }
}

fn work(
    file: &OpenFile,
    listeners: &Listeners,
    mut jobs: mpsc::Receiver<Job>,
    last: &Mutex<LastWrites>,
) {
    let mut group = Vec::with_capacity(GROUP);
    let mut unburied = HashSet::new();
    while jobs.blocking_recv_many(&mut group, GROUP) > 0 {
        let results = run(file, &group);
        // What is damaged says nothing about the disk.
        let mut errors = results.iter().filter_map(|result| result.as_ref().err());
        let refused = errors.find(|error| !matches!(error, StoreError::Corrupt(_)));
        let is_written = refused.is_none() && results.iter().any(Result::is_ok);
        if is_written || refused.is_some() {
            let mut last = last.lock();
            last.written = is_written.then(Instant::now);
            if let Some(error) = refused
                && !group.iter().all(|job| matches!(job, Job::Touch(_)))
            {
                last.refused = Some((Instant::now(), error.clone()));
            }
        }
        for (job, result) in group.drain(..).zip(results) {
            answer(job, result, listeners);
        }
        if is_written {
            bury(file, &mut unburied);
        }
    }
}

/// Runs a group in one transaction. If something is damaged that one of them needs, runs each by itself.
fn run(file: &OpenFile, group: &[Job]) -> Vec<Result<Done, StoreError>> {
    match write(file, group) {
        Ok(done) => done.into_iter().map(Ok).collect(),
        Err(StoreError::Corrupt(_)) if group.len() > 1 => {
            let alone = group.iter().flat_map(|job| run(file, from_ref(job)));
            alone.collect()
        }
        Err(error) => group.iter().map(|_| Err(error.clone())).collect(),
    }
}

fn write(file: &OpenFile, group: &[Job]) -> Result<Vec<Done>, StoreError> {
    let mut done = Vec::with_capacity(group.len());
    file.write(|write| {
        let mut tables = OpenTables::open(write, now_ms())?;
        for job in group {
            // A panic must not get further than this while the tables are open.
            done.push(guarded(|| perform(&mut tables, job))?);
        }
        Ok(done.iter().any(Done::has_changed))
    })?;
    Ok(done)
}

fn perform(tables: &mut OpenTables<'_>, job: &Job) -> Result<Done, StoreError> {
    let stored = |()| Done::Stored;
    match job {
        Job::Create(create, _) => tables.create(create).map(Done::Created),
        Job::Commit(commit, _) => tables.commit(commit).map(Done::Committed),
        Job::Remove(session, _) => tables.remove(session).map(Done::Removed),
        Job::Import(image, _) => tables.import(image).map(Done::Imported),
        Job::PutBlob(digest, bytes, _) => tables.put_blob(digest, bytes).map(stored),
        Job::Touch(_) => tables.touch().map(stored),
        Job::Bury(session) => tables.bury_expired(session).map(stored),
    }
}

impl Done {
    fn has_changed(&self) -> bool {
        match self {
            Done::Created(created) => matches!(created, Created::Done(_)),
            Done::Committed(committed) => matches!(committed, Committed::Done(_)),
            Done::Imported(imported) => matches!(imported, Imported::Written),
            Done::Removed(lived) => *lived,
            Done::Stored => true,
        }
    }
}

/// Tells the listeners of a write what it has changed, and then its caller, who may have gone.
fn answer(job: Job, result: Result<Done, StoreError>, listeners: &Listeners) {
    let has_changed = result.as_ref().is_ok_and(Done::has_changed);
    match (job, result) {
        (Job::Create(create, reply), Ok(Done::Created(created))) => {
            if has_changed {
                listeners.agendas.placed(&create.listing);
            }
            let _ = reply.send(Ok(created));
        }
        (Job::Commit(commit, reply), Ok(Done::Committed(committed))) => {
            if let Committed::Done(now) = &committed {
                tell_commit(&commit, now.version, listeners);
            }
            let _ = reply.send(Ok(committed));
        }
        (Job::Remove(session, reply), Ok(Done::Removed(lived))) => {
            if lived {
                listeners.hub.notify(&session, Notification::Removed);
            }
            let _ = reply.send(Ok(lived));
        }
        (Job::Import(image, reply), Ok(Done::Imported(imported))) => {
            if has_changed {
                listeners.agendas.placed(&image.listing);
            }
            let _ = reply.send(Ok(imported));
        }
        (Job::PutBlob(.., reply) | Job::Touch(reply), Ok(_)) => drop(reply.send(Ok(()))),
        (job, Err(error)) => refuse(job, error),
        (job, Ok(_)) => refuse(job, StoreError::Unavailable("another result".to_owned())),
    }
}

fn refuse(job: Job, error: StoreError) {
    match job {
        Job::Create(_, reply) => drop(reply.send(Err(error))),
        Job::Commit(_, reply) => drop(reply.send(Err(error))),
        Job::Remove(_, reply) => drop(reply.send(Err(error))),
        Job::Import(_, reply) => drop(reply.send(Err(error))),
        Job::PutBlob(.., reply) | Job::Touch(reply) => drop(reply.send(Err(error))),
        Job::Bury(_) => {}
    }
}

fn tell_commit(commit: &Commit, version: u64, listeners: &Listeners) {
    if commit.entry.is_some() {
        listeners
            .hub
            .notify(&commit.session, Notification::Version(version));
    }
    if let Some(listing) = &commit.listing {
        listeners.agendas.placed(listing);
    }
}

/// Removes some expired sessions, unless that has failed before.
fn bury(file: &OpenFile, unburied: &mut HashSet<String>) {
    let group: Vec<Job> = match expired(file, unburied) {
        Ok(expired) if !expired.is_empty() => expired.into_iter().map(Job::Bury).collect(),
        Ok(_) | Err(_) => return, // the next group tries again
    };
    for (job, result) in group.iter().zip(run(file, &group)) {
        if let (Job::Bury(session), Err(error)) = (job, result) {
            tracing::error!(session, %error, "cannot remove an expired session");
            unburied.insert(session.clone());
        }
    }
}

fn expired(file: &OpenFile, unburied: &HashSet<String>) -> Result<Vec<String>, StoreError> {
    file.read(|read| {
        let mut expired = Vec::new();
        let rows = EXPIRIES.open(read)?;
        for row in rows.table.range(..=(now_ms(), "\u{10ffff}"))? {
            let key = row?.0;
            let session = key.value().1;
            if !unburied.contains(session) {
                expired.push(session.to_owned());
            }
            if expired.len() >= BURIALS {
                break;
            }
        }
        Ok(expired)
    })
}
