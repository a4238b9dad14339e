//! The fuzz targets of `tests/fuzz/bodies`, for cargo-fuzz.

/// The root of the project.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

#[path = "../../tests/fuzz/bodies/mod.rs"]
pub mod bodies;

/// Writes the inputs that a target begins with into the folder `WYRMGATE_SEEDS`, if there is one.
pub fn write_seeds(target: &str) {
    let Some(folder) = std::env::var_os("WYRMGATE_SEEDS") else {
        return;
    };
    let folder = std::path::Path::new(&folder);
    let mut targets = bodies::TARGETS.iter();
    let found = targets.find(|known| known.name == target);
    let seeds = found.map(|found| (found.seeds)()).unwrap_or_default();
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number:03}")), seed).unwrap();
    }
}
