//! `wyrmgate fmt`: formats the YAML and the effect text of rules.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::setup::unreadable;
use super::{Stop, Verdict};
use crate::diagnostic::{Report, Sources};
use crate::format::format;
use crate::lang::table::is_file;
use crate::schema::File;

const EXAMPLES: &str = "\
Examples:
  wyrmgate fmt rules/my-game
  wyrmgate fmt rules/my-game/game.yaml
  wyrmgate fmt --check rules
  wyrmgate fmt - < game.yaml

Formatting keeps comments and columns that you aligned, and never changes the meaning of the rules. The exit code is 0 \
on success, and 1 if a file cannot be formatted or, with `--check`, is not formatted.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files, or folders of YAML files; `-` formats standard input to standard output
    #[arg(value_name = "PATH", default_value = "rules")]
    paths: Vec<PathBuf>,
    /// Change nothing; list the files that are not formatted
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut good = true;
    for path in &args.paths {
        if path == Path::new("-") {
            good &= standard_input(args.check)?;
            continue;
        }
        for file in files(path, |name| name.ends_with(".yaml"))? {
            if is_file(&file) {
                return Err(Stop::Usage(format!(
                    "{} is a table, not YAML",
                    file.display()
                )));
            }
            good &= one(&file, args.check)?;
        }
    }
    Ok(Verdict::good_if(good))
}

fn standard_input(check: bool) -> Result<bool, Stop> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    match format(File::of(Path::new("-"), &text), &text) {
        Ok(fair) if check => Ok(fair == text),
        Ok(fair) => {
            say_inline!("{fair}");
            Ok(true)
        }
        Err(report) => Ok(complain("-", text, &report)),
    }
}

fn one(path: &Path, check: bool) -> Result<bool, Stop> {
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    let fair = match format(File::of(path, &text), &text) {
        Ok(fair) => fair,
        Err(report) => return Ok(complain(&path.display().to_string(), text, &report)),
    };
    if fair == text {
        return Ok(true);
    }
    if check {
        say!("{} is not formatted", path.display());
        return Ok(false);
    }
    std::fs::write(path, fair).map_err(|error| unreadable(path, &error))?;
    say!("{}", path.display());
    Ok(true)
}

fn complain(path: &str, text: String, report: &Report) -> bool {
    let mut sources = Sources::default();
    sources.add(path, text);
    complain_inline!("{}", report.render(&sources, false));
    false
}

/// Returns a file itself, or all files below a folder with the names that are wanted, by name.
pub(super) fn files(path: &Path, is_wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>, Stop> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let mut inside = Vec::new();
    for entry in entries {
        inside.push(entry?.path());
    }
    inside.sort();
    let mut found = Vec::new();
    for path in inside {
        if path.is_dir() {
            found.extend(files(&path, is_wanted)?);
        } else if path.to_str().is_some_and(is_wanted) {
            found.push(path);
        }
    }
    Ok(found)
}
