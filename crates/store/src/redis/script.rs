//! A script and a call of it, sent by the script's digest, with its text where that is not known.

use redis::{Arg, Cmd, ToRedisArgs};

/// A script's text and its digest, computed once.
pub(super) struct Script {
    text: &'static str,
    digest: String,
}

impl Script {
    pub(super) fn new(text: &'static str) -> Self {
        let digest = redis::Script::new(text).get_hash().to_owned();
        Script { text, digest }
    }

    pub(super) fn call(&'static self, keys: &[String]) -> Call {
        let mut command = Cmd::with_capacity(ARGUMENTS, BYTES);
        command.arg("EVALSHA").arg(&self.digest);
        command.arg(keys.len()).arg(keys);
        Call {
            text: self.text,
            command,
        }
    }
}

/// A script with keys and arguments. No argument becomes part of a script's text.
pub(super) struct Call {
    text: &'static str,
    /// By the script's digest.
    command: Cmd,
}

/// No script is told more, its keys included.
const ARGUMENTS: usize = 24;
/// As long as most calls.
const BYTES: usize = 4096;
/// The name of the command, and which script it runs.
const BEFORE_KEYS: usize = 2;

impl Call {
    pub(super) fn arg(&mut self, arg: impl ToRedisArgs) -> &mut Self {
        self.command.arg(arg);
        self
    }

    /// The short form, which a server refuses with `NOSCRIPT` until it has seen the long one.
    pub(super) fn by_digest(&self) -> &Cmd {
        &self.command
    }

    /// The long form: one server of a cluster learns the script, when it is needed there.
    pub(super) fn by_text(&self) -> Cmd {
        let mut command = redis::cmd("EVAL");
        command.arg(self.text);
        for arg in self.command.args_iter().skip(BEFORE_KEYS) {
            if let Arg::Simple(bytes) = arg {
                command.arg(bytes);
            }
        }
        command
    }
}
