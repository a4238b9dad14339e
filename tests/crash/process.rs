//! The real program, in a process of its own.

use std::io::{BufRead, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

pub struct Process {
    child: Child,
    pub url: String,
    /// Kept open, so that the program can go on printing.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Process {
    /// Serves on a port of its own.
    pub fn start(store: &str) -> Process {
        Process::start_with(store, &[])
    }

    pub fn start_with(store: &str, more: &[&str]) -> Process {
        let rules = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("rules");
        let mut child = Command::new(env!("CARGO_BIN_EXE_wyrmgate"))
            .args(["serve", "--listen", "127.0.0.1:0", "--rules"])
            .arg(rules)
            .args(["--store", store])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = announced(&mut output);
        Process {
            child,
            url,
            _output: output,
        }
    }

    /// Stands still until it is resumed, as a machine does that is suspended.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap(); // SIGKILL
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address that the program prints.
fn announced(output: &mut Lines<BufReader<ChildStdout>>) -> String {
    let mut lines = output.map(|line| line.unwrap());
    let line = lines.find(|line| line.contains("listening on")).unwrap();
    line.split_whitespace().last().unwrap().to_owned()
}
