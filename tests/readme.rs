//! The terminal sessions of README.md, run in a shell as they stand there; what is printed must be what is shown.

#![cfg(test)]
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use support::command::Service;
use support::console::{Ids, commands};

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
    let mut shell = Shell::open(folder.path());
    let mut server = None;
    let mut ids = Ids::default();
    let mut address = ADDRESS.to_owned();
    for step in shown {
        let found = if step.command == format!("{RUN} serve &") {
            let started = Service::start_in(folder.path(), &[]);
            address.clone_from(&started.address);
            let printed = started.printed.join("\n");
            server = Some(started);
            printed
        } else {
            shell.run(&ids.put_into(&step.command).replace(ADDRESS, &address))
        };
        let expected = step.output.replace(ADDRESS, &address);
        assert!(
            ids.matches(&expected, &found),
            "\n$ {}\n--- shown\n{expected}\n--- found\n{found}",
            step.command
        );
    }
    assert!(server.is_some(), "the service is never started");
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
        let input = child.stdin.take().unwrap();
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
