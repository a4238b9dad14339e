//! The command line: names, arguments and exit codes of the commands. One file per command.
//!
//! Results go to standard output, everything else (progress, problems) to standard error. The exit code is 0 for
//! success, 1 if problems were found, and 2 for invalid arguments.

/// Prints to standard output without ending the line. A closed reader (`| head`) is not an error.
macro_rules! say_inline {
    ($($what:tt)*) => {{
        use std::io::Write;
        let _ = write!(crate::cli::shown::Shown(std::io::stdout()), $($what)*);
    }};
}
/// Prints a line to standard output.
macro_rules! say {
    ($($what:tt)*) => { say_inline!("{}\n", format_args!($($what)*)) };
}

/// Prints a JSON object as a line to standard output.
macro_rules! say_json {
    ($($json:tt)*) => {
        say!("{}", serde_json::json!($($json)*))
    };
}

/// Prints to standard error without ending the line. A closed reader does not change the exit code.
macro_rules! complain_inline {
    ($($what:tt)*) => {{
        use std::io::Write;
        let _ = write!(crate::cli::shown::Shown(std::io::stderr()), $($what)*);
    }};
}

/// Prints a line to standard error.
macro_rules! complain {
    ($($what:tt)*) => { complain_inline!("{}\n", format_args!($($what)*)) };
}

mod audit;
mod bars;
mod bench;
mod check;
mod completions;
mod dap;
mod diff;
mod docs;
mod doctor;
mod draw;
mod explain;
mod export;
mod fmt;
mod health;
mod impact;
mod import;
mod interrupt;
mod key;
mod laws;
mod log_line;
mod lsp;
mod man;
mod many_games;
mod mutate;
mod new;
mod openapi;
mod page;
mod perft;
mod play;
mod print;
mod progress;
mod replay;
mod report;
mod schema;
mod serve;
mod setup;
mod shown;
mod simulate;
mod stopped;
mod stopped_games;
mod store;
mod telemetry;
mod test;
mod trace;
mod watch;

use std::fmt::Display;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A headless game service: rules in YAML, played over HTTP or in the terminal.
#[derive(Debug, Parser)]
#[command(name = "wyrmgate", version, propagate_version = true)]
struct Cli {
    /// Play everything without machine code, which is slower and gives the same results
    #[cfg(feature = "native")]
    #[arg(
        long,
        global = true,
        env = "WYRMGATE_INTERPRET",
        help_heading = "Global options"
    )]
    interpret: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve every game of a rules folder over HTTP
    Serve(Box<serve::Args>),
    /// Check the rules of one game or of a whole folder
    Check(check::Args),
    /// Create a new game, or house rules for an existing one
    New(new::Args),
    /// Format rules: indentation, spacing, effect text
    Fmt(fmt::Args),
    /// Show a value of the rules, the file that sets it, and its earlier values
    Explain(explain::Args),
    /// Compare two games: a game with its variant, or two versions
    Diff(diff::Args),
    /// Run the scenarios of a game and report which clauses they cover
    Test(test::Args),
    /// Play a game in the terminal, alone or with others, against bots
    Play(play::Args),
    /// Simulate many games and report wins and lengths
    Simulate(simulate::Args),
    /// Check in many random games of every setting the laws that every game must keep
    Laws(laws::Args),
    /// Check in many random games whether a game ends, is fair, and uses all of its rules
    Audit(audit::Args),
    /// Compare two sets of rules, game by game with the same seeds: wins, lengths, number of choices
    Impact(impact::Args),
    /// Mutation testing: change the rules in one place at a time and report changes that no scenario notices
    Mutate(mutate::Args),
    /// Replay recorded games and verify their results
    Replay(replay::Args),
    /// Make records of games in the notation of other programs: PGN, PDN, SGF
    Import(import::Args),
    /// Write recorded games in the notation of other programs
    Export(export::Args),
    /// Print the OpenAPI document of the service
    Openapi(openapi::Args),
    /// Generate an API key and its entry for the key file
    Key(key::Args),
    /// Generate a rulebook: clauses, components, options, pictures of the boards
    Docs(docs::Args),
    /// Draw a game after some random choices, as SVG, as PNG or with characters
    Draw(draw::Args),
    /// Print boards, cards, tiles and pieces on sheets to cut out
    Print(print::Args),
    /// Run the language server for editors: diagnostics, completion, hover, rename
    Lsp(lsp::Args),
    /// Run the debugger for rules, which editors start: breakpoints, steps forward and back, names, reasons
    Dap(dap::Args),
    /// Print the JSON Schema of rules files, for editors
    Schema(schema::Args),
    /// Back up a running server, or move data between stores
    Store(store::Args),
    /// Check whether a running server is alive
    Health(health::Args),
    /// Check settings, store and machine of a server, and say what to do
    Doctor(Box<doctor::Args>),
    /// Print the completions of a shell
    Completions(completions::Args),
    /// Print the manual page, or write those of all commands
    Man(man::Args),
    /// Count the positions of a game tree ply by ply
    Perft(perft::Args),
    /// Measure how fast random games run on one core
    Bench(bench::Args),
}

/// The result of a command that ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    /// The command ran and found problems, which it has printed.
    Problems,
}

impl Verdict {
    fn good_if(good: bool) -> Verdict {
        match good {
            true => Verdict::Good,
            false => Verdict::Problems,
        }
    }
}

/// Why a command could not run.
#[derive(Debug)]
enum Stop {
    /// The arguments are invalid: an unknown game, a bad option. Exit code 2.
    Usage(String),
    /// Valid arguments, but an obstacle: unreadable files, rules with errors, a fault. Exit code 1.
    Failure(String),
    /// The reader of stdout has closed it (`wyrmgate replay … | head`), which is not an error.
    ReaderGone,
}

impl Stop {
    fn usage(message: impl Display) -> Stop {
        Stop::Usage(message.to_string())
    }

    fn failure(message: impl Display) -> Stop {
        Stop::Failure(message.to_string())
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Stop {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Stop::ReaderGone,
            _ => Stop::failure(error),
        }
    }
}

/// Parses the command line, runs the command, and returns the exit code.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    #[cfg(feature = "native")]
    wyrmgate_native::use_machine_code(!cli.interpret);
    match run(cli.command) {
        Ok(Verdict::Good) | Err(Stop::ReaderGone) => ExitCode::SUCCESS,
        Ok(Verdict::Problems) => ExitCode::from(1),
        Err(Stop::Failure(message)) => ended(&message, 1),
        Err(Stop::Usage(message)) => ended(&message, 2),
    }
}

fn run(command: Command) -> Result<Verdict, Stop> {
    match command {
        Command::Serve(args) => serve::run(*args),
        Command::Check(args) => check::run(&args),
        Command::New(args) => new::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Laws(args) => laws::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Impact(args) => impact::run(&args),
        Command::Mutate(args) => mutate::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Openapi(args) => openapi::run(&args),
        Command::Key(args) => key::run(args),
        Command::Docs(args) => docs::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Print(args) => print::run(&args),
        Command::Lsp(args) => lsp::run(&args),
        Command::Dap(args) => dap::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Store(args) => store::run(args),
        Command::Health(args) => health::run(&args),
        Command::Doctor(args) => doctor::run(*args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Bench(args) => bench::run(&args),
    }
}

fn ended(message: &str, code: u8) -> ExitCode {
    complain!("error: {message}");
    ExitCode::from(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
