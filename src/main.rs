use std::process::ExitCode;

/// A move over HTTP takes and gives back memory a hundred times; see `docs/performance.md`.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    wyrmgate::cli::main()
}
