use std::process::ExitCode;

/// An HTTP move allocates and frees memory about a hundred times.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    wyrmgate::cli::main()
}
