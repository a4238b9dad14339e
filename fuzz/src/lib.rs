//! The fuzz targets of `tests/fuzz/bodies`, for cargo-fuzz.

/// The root of the project.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[path = "../../tests/fuzz/bodies/mod.rs"]
pub mod bodies;
