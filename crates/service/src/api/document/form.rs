//! The purpose of the document.

/// The purpose of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentForm {
    /// For generators of clients, many of which cannot read constraints beside members.
    Clients,
    /// With every constraint, for tests of the contract: each request that conforms is well-formed.
    Strict,
}
