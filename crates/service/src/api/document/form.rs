//! The purpose of the document.

/// The purpose of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentForm {
    /// For generators of clients, many of which cannot read constraints beside members. What answers contain may grow.
    Clients,
    /// With every constraint and nothing that this version does not send, for tests of the contract: each request that conforms is
    /// well-formed.
    Strict,
}
