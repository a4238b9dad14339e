//! A cache of parsed files of a game, used while its variants are read: most of a variant is the game below it.
//!
//! Files are identified by number, path and text, and texts inside them by location. Anything with a problem is not
//! cached, so that every ruleset reports all of its own.

use hashbrown::HashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use crate::ast::{Block, Expr, Signature};
use crate::yaml::{Budget, Node, Scalar};
use wyrmgate_base::diagnostic::FileId;

/// The files read so far, for rulesets that share some of them.
#[derive(Debug, Default)]
pub struct Known(RefCell<Vec<Rc<KnownFile>>>);

/// A file that was read without a problem.
#[derive(Debug)]
pub(crate) struct KnownFile {
    pub file: FileId,
    pub path: String,
    pub text: Arc<str>,
    pub tree: Node,
    /// Its share of the limits.
    pub used: Budget,
    pub exprs: Parsed<Expr>,
    pub signatures: Parsed<Signature>,
    pub blocks: Parsed<Arc<Block>>,
}

impl Known {
    /// Returns the number of files read so far.
    pub fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// Returns the file with this number, if it is unchanged since it was read.
    pub(crate) fn file(&self, file: FileId, path: &str, text: &str) -> Option<Rc<KnownFile>> {
        let files = self.0.borrow();
        let same = |known: &&Rc<KnownFile>| {
            known.file == file && known.path == path && *known.text == *text
        };
        files.iter().find(same).cloned()
    }

    pub(crate) fn keep(&self, file: KnownFile) -> Rc<KnownFile> {
        let known = Rc::new(file);
        self.0.borrow_mut().push(known.clone());
        known
    }
}

/// The first byte of a scalar in its file, and that of a text within the scalar.
type Place = (u32, usize);

/// Texts of a file and their parsed forms.
#[derive(Debug)]
pub(crate) struct Parsed<T>(RefCell<HashMap<Place, (Arc<str>, T)>>);

impl<T> Default for Parsed<T> {
    fn default() -> Self {
        Parsed(RefCell::default())
    }
}

impl<T: Clone> Parsed<T> {
    /// Returns the parsed form of the scalar from byte `from` on. An overlay can put another text at the location of a
    /// known one.
    pub fn get(&self, scalar: &Scalar, from: usize) -> Option<T> {
        let parsed = self.0.borrow();
        let (text, meaning) = parsed.get(&(scalar.span.start, from))?;
        (**text == *scalar.text).then(|| meaning.clone())
    }

    pub fn keep(&self, scalar: &Scalar, from: usize, meaning: T) {
        let key = (scalar.span.start, from);
        self.0
            .borrow_mut()
            .insert(key, (scalar.text.clone(), meaning));
    }
}
