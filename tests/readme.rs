//! The terminal sessions of README.md and of the guides, run in a shell as they stand there; what is printed must be
//! what is shown. The files that a guide shows are written as it goes on.

#![cfg(test)]
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use support::command::Service;
use support::console::{Ids, Shown, Step, commands, steps};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const RUN: &str = "cargo run --release --";
const ADDRESS: &str = "127.0.0.1:8080";
const END: &str = "-- end of this command --";

#[test]
fn what_the_readme_shows_is_what_is_printed() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let shown = commands(&readme);
    assert!(shown.len() > 10, "the commands of README.md are not found");
    let folder = tempfile::tempdir().unwrap();
    for part in ["rules", "examples"] {
        symlink(Path::new(ROOT).join(part), folder.path().join(part)).unwrap();
    }
    let mut session = Session::open(folder.path(), RUN);
    shown.iter().for_each(|step| session.run(step));
    assert!(session.server.is_some(), "the service is never started");
}

#[test]
fn the_guide_to_house_rules_holds() {
    let session = guide("rules/guide/house-rules.md");
    assert!(session.server.is_some(), "the service is never started");
}

#[test]
fn the_guide_to_new_games_holds() {
    guide("rules/guide/tutorial.md");
}

/// Goes through a guide in a folder with a copy of the rules.
fn guide(path: &str) -> Session {
    let text = fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
    let parts = steps(&text);
    assert!(parts.len() > 10, "the commands of {path} are not found");
    let folder = tempfile::tempdir().unwrap();
    let copied = Command::new("cp")
        .arg("-R")
        .arg(Path::new(ROOT).join("rules"))
        .arg(folder.path())
        .status();
    assert!(copied.unwrap().success());
    let mut session = Session::open(folder.path(), "wyrmgate");
    for part in parts {
        match part {
            Step::Run(step) => session.run(&step),
            Step::Write { path, text } => {
                let path = folder.path().join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
        }
    }
    session
}

/// Somebody at a terminal.
struct Session {
    folder: PathBuf,
    shell: Shell,
    /// How the program is called.
    program: &'static str,
    server: Option<Service>,
    ids: Ids,
    address: String,
}

impl Session {
    fn open(folder: &Path, program: &'static str) -> Session {
        Session {
            folder: folder.to_owned(),
            shell: Shell::open(folder),
            program,
            server: None,
            ids: Ids::default(),
            address: ADDRESS.to_owned(),
        }
    }

    #[track_caller]
    fn run(&mut self, step: &Shown) {
        let found = if step.command == format!("{} serve &", self.program) {
            let started = Service::start_in(&self.folder, &[]);
            self.address.clone_from(&started.address);
            let printed = started.printed.join("\n");
            self.server = Some(started);
            printed
        } else {
            let command = self
                .ids
                .put_into(&step.command)
                .replace(ADDRESS, &self.address);
            self.shell.run(&command)
        };
        let expected = step.output.replace(ADDRESS, &self.address);
        assert!(
            self.ids.matches(&expected, &found),
            "\n$ {}\n--- shown\n{expected}\n--- found\n{found}",
            step.command
        );
    }
}

/// A shell that stays the same from command to command.
struct Shell {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Shell {
    fn open(folder: &Path) -> Shell {
        let mut child = Command::new("bash")
            .current_dir(folder)
            .env("WYRMGATE", env!("CARGO_BIN_EXE_wyrmgate"))
            .env("no_proxy", "127.0.0.1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        writeln!(input, "wyrmgate() {{ \"$WYRMGATE\" \"$@\"; }}").unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Shell {
            child,
            input,
            output,
        }
    }

    fn run(&mut self, command: &str) -> String {
        let command = command.replace(RUN, "\"$WYRMGATE\"");
        // The program may not eat the rest of the shell's input; its errors belong to what is printed.
        writeln!(
            self.input,
            "{{ {command}\n}} 2>&1 </dev/null; echo; echo '{END}'"
        )
        .unwrap();
        let mut printed = String::new();
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the shell has ended"
            );
            if line.trim_end() == END {
                return printed;
            }
            printed += &line;
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
