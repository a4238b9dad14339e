//! `wyrmgate schema`: the JSON Schemas of rules files, for editors.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{Stop, Verdict, setup};
use crate::schema::File;

const EXAMPLES: &str = "\
Examples:
  wyrmgate schema game                       the schema of game.yaml
  wyrmgate schema scenarios > scenarios.json
  wyrmgate schema --write rules/schema       all of them, one file each
  wyrmgate schema --write rules/schema --check

An editor with a YAML language server validates and completes files that begin with
  # yaml-language-server: $schema=../schema/game.json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Kind of file
    #[arg(value_enum, required_unless_present = "write")]
    file: Option<Kind>,
    /// Write the schemas of all kinds into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "file")]
    write: Option<PathBuf>,
    /// Write nothing; exit with 1 if the files are out of date
    #[arg(long, requires = "write")]
    check: bool,
}

#[derive(Debug, Clone, Copy)]
struct Kind(File);

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Kind] {
        const ALL: &[Kind] = &[
            Kind(File::Game),
            Kind(File::Part),
            Kind(File::Overlay),
            Kind(File::Scenarios),
            Kind(File::Equivalents),
        ];
        ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name()))
    }
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    if let Some(Kind(file)) = args.file {
        say_inline!("{}", file.text());
    }
    let Some(folder) = &args.write else {
        return Ok(Verdict::Good);
    };
    if !args.check {
        return write_schemas(folder).map(|()| Verdict::Good);
    }
    let mut good = true;
    for file in File::ALL {
        let path = folder.join(file.file_name());
        if fs::read_to_string(&path).unwrap_or_default() != file.text() {
            good = false;
            say!("{} is out of date", path.display());
        }
    }
    Ok(Verdict::good_if(good))
}

/// Writes the schemas of all kinds into a folder.
pub fn write_schemas(folder: &Path) -> Result<(), Stop> {
    fs::create_dir_all(folder).map_err(|error| setup::unwritable(folder, &error))?;
    for file in File::ALL {
        setup::write(&folder.join(file.file_name()), &file.text())?;
    }
    Ok(())
}
