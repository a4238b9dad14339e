//! Compares two trees for equality of meaning: texts literally, code by its tokens.

use super::words::{WordKind, tokens};
use wyrmgate_lang::yaml::{Node, NodeKind, Scalar};

pub fn same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (NodeKind::Scalar(a), NodeKind::Scalar(b)) => same_text(a, b),
        (NodeKind::List(a), NodeKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (NodeKind::Map(a), NodeKind::Map(b)) => {
            let same_entry =
                |((key, node), (other_key, other)): (&(Scalar, Node), &(Scalar, Node))| {
                    same_text(key, other_key) && same(node, other)
                };
            a.len() == b.len() && a.iter().zip(b).all(same_entry)
        }
        _ => false,
    }
}

/// Compares texts; for code, including its comments.
fn same_text(a: &Scalar, b: &Scalar) -> bool {
    a.text == b.text || words(&a.text) == words(&b.text)
}

fn words(text: &str) -> Vec<String> {
    let tokens = text.lines().flat_map(tokens);
    let tokens = tokens.filter(|token| !token.is(","));
    let clean = tokens.map(|token| match token.kind {
        WordKind::Comment => token.text.trim_end().to_owned(),
        _ => token.text.to_owned(),
    });
    clean.collect()
}
