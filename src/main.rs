use std::process::ExitCode;

/// An HTTP move allocates and frees memory about a hundred times; see `docs/performance.md`.
#[global_allocator]
static MEMORY: wyrmgate::memory::Memory = wyrmgate::memory::Memory;

fn main() -> ExitCode {
    wyrmgate::cli::main()
}
