//! Writes a tree as text for people: short values stay on one line.

use super::{Node, NodeKind, Scalar};

/// The maximum length of lists and maps on one line, in characters.
const LINE_MAX: usize = 100;

impl Node {
    /// Returns YAML of several lines, each terminated.
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        write(self, 0, &mut text);
        text
    }
}

impl Node {
    /// Returns a single value of one line as it can stand inside `{ }`.
    pub fn in_flow(&self) -> Option<String> {
        let text = self.text()?.trim_end();
        let is_plain = text.starts_with(char::is_alphanumeric)
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || " _.+-*/()<>=".contains(c));
        let quoted = || format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        (!text.contains('\n')).then(|| if is_plain { text.to_owned() } else { quoted() })
    }
}

fn write(node: &Node, indent: usize, text: &mut String) {
    if let Some(line) = one_line(node) {
        text.push_str(&format!("{:indent$}{line}\n", ""));
        return;
    }
    match &node.kind {
        NodeKind::Scalar(scalar) => scalar.text.lines().for_each(|line| {
            text.push_str(format!("{:indent$}{line}", "").trim_end());
            text.push('\n');
        }),
        NodeKind::List(members) => members
            .iter()
            .for_each(|member| entry("-", member, indent, text)),
        NodeKind::Map(entries) => entries
            .iter()
            .for_each(|(key, value)| entry(&format!("{}:", key.text), value, indent, text)),
    }
}

fn entry(key: &str, value: &Node, indent: usize, text: &mut String) {
    if let Some(line) = one_line(value) {
        text.push_str(format!("{:indent$}{key} {line}", "").trim_end());
        text.push('\n');
        return;
    }
    let is_text = matches!(value.kind, NodeKind::Scalar(_));
    let mark = if is_text { " |" } else { "" };
    text.push_str(&format!("{:indent$}{key}{mark}\n", ""));
    write(value, indent + 2, text);
}

fn one_line(node: &Node) -> Option<String> {
    let line = flow(node)?;
    (line.chars().count() <= LINE_MAX).then_some(line)
}

/// Returns the flow style; `None` for texts of several lines.
fn flow(node: &Node) -> Option<String> {
    Some(match &node.kind {
        NodeKind::Scalar(scalar) => plain(scalar)?,
        NodeKind::List(members) => {
            let members: Option<Vec<String>> = members.iter().map(flow).collect();
            format!("[{}]", members?.join(", "))
        }
        NodeKind::Map(entries) => {
            let entries = entries.iter();
            let entries =
                entries.map(|(key, value)| Some(format!("{}: {}", key.text, flow(value)?)));
            format!(
                "{{{}}}",
                entries.collect::<Option<Vec<String>>>()?.join(", ")
            )
        }
    })
}

fn plain(scalar: &Scalar) -> Option<String> {
    let text = scalar.text.trim_end();
    (!text.contains('\n')).then(|| text.to_owned())
}
