//! Limits on the size of rulesets. They are the same on every machine, and each has its own diagnostic.

/// Bytes of one effect text (`effect-size`).
pub const EFFECT_BYTES_MAX: usize = 16 * 1024;
/// Nesting of brackets, blocks and other constructs (`nesting`).
pub const NESTING_MAX: usize = 64;
/// Levels to which the value of a query nests, with those of the queries that it uses (`query-depth`).
pub const QUERY_DEPTH_MAX: usize = 512;
/// Modifiers of one query (`modifiers`).
pub const MODIFIERS_MAX: usize = 128;
/// Operators, fields and indexes in one expression (`operators`).
pub const OPERATORS_MAX: usize = 256;

/// Bytes of one file (`file-size`).
pub const FILE_BYTES_MAX: usize = 256 * 1024;
/// Bytes of all files of a ruleset, counting aliases each time they are used (`bundle-size`).
pub const BUNDLE_BYTES_MAX: usize = 1024 * 1024;
/// Overlays used at once (`overlays`). Each is compared with all before it.
pub const OVERLAYS_MAX: usize = 63;
/// Nesting of lists and maps (`yaml-depth`).
pub const YAML_DEPTH_MAX: usize = 32;
/// Keys, values, lists and maps of a ruleset, counting aliases each time they are used (`yaml-nodes`).
pub const YAML_NODES_MAX: usize = 50_000;
/// `*name` in a ruleset (`yaml-aliases`).
pub const YAML_ALIASES_MAX: usize = 256;
/// Bytes of one scalar (`yaml-scalar`).
pub const SCALAR_BYTES_MAX: usize = 64 * 1024;

/// Rows of a table, its columns, and bytes of one cell (`table`).
pub const TABLE_ROWS_MAX: usize = 1_000;
pub const TABLE_COLUMNS_MAX: usize = 50;
pub const TABLE_CELL_MAX: usize = 1_000;

/// Problems in one report; the others are only counted (`more-problems`).
pub use wyrmgate_base::diagnostic::PROBLEMS_MAX;

/// The maximum number of nested calls of a query in itself that rules can declare.
pub const DEEP_MAX: u16 = 100;
