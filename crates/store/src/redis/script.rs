//! A script and its calls, sent by digest, or with the text if the server does not know the digest.

use redis::{Arg, Cmd, ToRedisArgs};

/// The text of a script and its digest, computed once.
pub(super) struct Script {
    text: &'static str,
    digest: String,
}

impl Script {
    pub(super) fn new(text: &'static str) -> Self {
        let digest = redis::Script::new(text).get_hash().to_owned();
        Script { text, digest }
    }

    pub(super) fn call(&'static self, keys: &[String]) -> ScriptCall {
        let mut command = Cmd::with_capacity(ARGUMENTS, BYTES);
        command.arg("EVALSHA").arg(&self.digest);
        command.arg(keys.len()).arg(keys);
        ScriptCall {
            text: self.text,
            command,
        }
    }
}

/// A script with keys and arguments. Arguments never become part of the script's text.
pub(super) struct ScriptCall {
    text: &'static str,
    /// The call by digest.
    command: Cmd,
}

/// Initial capacity: the most arguments of a script that plays, with its keys.
const ARGUMENTS: usize = 26;
/// Initial capacity: the size of most calls.
const BYTES: usize = 4096;
/// Number of arguments before the keys: the command and the script.
const BEFORE_KEYS: usize = 2;

impl ScriptCall {
    pub(super) fn arg(&mut self, arg: impl ToRedisArgs) -> &mut Self {
        self.command.arg(arg);
        self
    }

    /// Returns the short form, which a server refuses with `NOSCRIPT` until it has received the long one.
    pub(super) fn by_digest(&self) -> &Cmd {
        &self.command
    }

    /// Returns the long form, which teaches the script to the server that needs it.
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
