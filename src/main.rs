use std::process::ExitCode;

fn main() -> ExitCode {
    wyrmgate::cli::main()
}
