use std::process::ExitCode;

/// An HTTP move allocates and frees memory about a hundred times; see `docs/performance.md`.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    wyrmgate::cli::main()
}
