//! The fuzz targets: for each kind of input that strangers or files bring, a function that takes any bytes and panics if the
//! program does what it never may. `cargo fuzz` looks for such bytes (see `fuzz/README.md`); `tests/fuzz/main.rs` replays the
//! inputs that are kept, on a stable compiler.

pub mod choices;
pub mod deep;
pub mod effects;
pub mod embedded;
pub mod http;
pub mod overlays;
pub mod records;
pub mod rules;
pub mod sealed;
pub mod snapshots;
pub mod table;
pub mod yaml;

/// A target by name: the function that takes an input, and inputs to begin with, made from real files.
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Gives an input to a target, or what it makes if it is a recipe for nesting.
pub fn run(target: fn(&[u8]), input: &[u8]) {
    target(&deep::unfolded(input));
}

pub const TARGETS: &[Target] = &[
    Target {
        name: "yaml",
        run: yaml::run,
        seeds: yaml::seeds,
    },
    Target {
        name: "effects",
        run: effects::run,
        seeds: effects::seeds,
    },
    Target {
        name: "overlays",
        run: overlays::run,
        seeds: overlays::seeds,
    },
    Target {
        name: "choices",
        run: choices::run,
        seeds: choices::seeds,
    },
    Target {
        name: "sealed",
        run: sealed::run,
        seeds: sealed::seeds,
    },
    Target {
        name: "records",
        run: records::run,
        seeds: records::seeds,
    },
    Target {
        name: "snapshots",
        run: snapshots::run,
        seeds: snapshots::seeds,
    },
    Target {
        name: "http",
        run: http::run,
        seeds: http::seeds,
    },
    Target {
        name: "embedded",
        run: embedded::run,
        seeds: embedded::seeds,
    },
];
