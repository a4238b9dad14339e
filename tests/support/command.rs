//! Runs the binary: to its end, or as a service.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// The exit code and the output of a run.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The output as one JSON value.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error} in\n{}{}", self.out, self.err))
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The binary, in the root of the repository, without settings from the environment.
pub fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wyrmgate"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("WYRMGATE_") {
            command.env_remove(name);
        }
    }
    command
}

pub fn wyrmgate(args: &[&str]) -> Ran {
    binary()
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
        .into()
}

pub fn wyrmgate_with_input(args: &[&str], input: &str) -> Ran {
    let mut child = binary()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A game that ends before its input closes the pipe, which is no error here.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap().into()
}

/// The service as a process of its own, on a free port.
pub struct Service {
    child: Child,
    pub address: String,
    /// The lines that it printed until it was ready.
    pub printed: Vec<String>,
}

impl Service {
    pub fn start(args: &[&str]) -> Service {
        Service::start_in(Path::new(env!("CARGO_MANIFEST_DIR")), args)
    }

    /// Runs it in this folder.
    pub fn start_in(folder: &Path, args: &[&str]) -> Service {
        let mut command = binary();
        command.current_dir(folder).stderr(Stdio::null());
        Service::run(command, args)
    }

    /// Starts it with settings from the environment. Its log goes to a file.
    pub fn start_with(args: &[&str], variables: &[(&str, &str)], log: &Path) -> Service {
        let mut command = binary();
        let log = std::fs::File::create(log).unwrap();
        command.envs(variables.iter().copied()).stderr(log);
        Service::run(command, args)
    }

    fn run(mut command: Command, args: &[&str]) -> Service {
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let printed: Vec<String> = lines.take(3).map(Result::unwrap).collect();
        let address = printed[1].rsplit('/').next().unwrap().to_owned();
        Service {
            child,
            address,
            printed,
        }
    }

    pub fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        Command::new("kill")
            .args(["-s", signal, &pid])
            .status()
            .unwrap();
    }

    /// Asks it to stop. Returns its exit code.
    pub fn stop(mut self) -> i32 {
        self.signal("TERM");
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
