//! JSON Patch (RFC 6902) between two documents.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// One operation of a JSON Patch (RFC 6902).
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Operation)]
pub struct PatchOperation {
    op: OperationKind,
    /// A JSON Pointer into the caller's view.
    #[schema(example = "/state/scores/0")]
    path: String,
    /// The new value. Absent for `remove`.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OperationKind)]
pub enum OperationKind {
    Add,
    Remove,
    Replace,
}

/// Returns the operations that turn `before` into `after`. Without `before`, one operation adds the whole document.
pub fn between(before: Option<&Value>, after: &Value) -> Vec<PatchOperation> {
    let mut patch = Patch::default();
    match before {
        Some(before) => patch.compare(before, after),
        None => patch.push(OperationKind::Add, Some(after)),
    }
    patch.operations
}

#[derive(Default)]
struct Patch {
    operations: Vec<PatchOperation>,
    /// The path of the values being compared.
    path: String,
}

impl Patch {
    fn push(&mut self, op: OperationKind, value: Option<&Value>) {
        self.operations.push(PatchOperation {
            op,
            path: self.path.clone(),
            value: value.cloned(),
        });
    }

    /// Runs `work` one step further down the path.
    fn at(&mut self, step: &str, work: impl FnOnce(&mut Patch)) {
        let length = self.path.len();
        self.path.push('/');
        self.path
            .push_str(&step.replace('~', "~0").replace('/', "~1"));
        work(self);
        self.path.truncate(length);
    }

    fn compare(&mut self, before: &Value, after: &Value) {
        match (before, after) {
            _ if before == after => {}
            (Value::Object(before), Value::Object(after)) => self.objects(before, after),
            (Value::Array(before), Value::Array(after)) => self.arrays(before, after),
            _ => self.push(OperationKind::Replace, Some(after)),
        }
    }

    fn objects(&mut self, before: &Map<String, Value>, after: &Map<String, Value>) {
        for (name, old) in before {
            self.at(name, |patch| match after.get(name) {
                Some(new) => patch.compare(old, new),
                None => patch.push(OperationKind::Remove, None),
            });
        }
        for (name, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
            self.at(name, |patch| patch.push(OperationKind::Add, Some(new)));
        }
    }

    /// Compares two lists. The common head and tail stay; between them, elements are removed and inserted by identity.
    fn arrays(&mut self, before: &[Value], after: &[Value]) {
        let pairs = before.iter().zip(after);
        let head = pairs.take_while(|(old, new)| is_same(old, new)).count();
        let rest = (before.len().min(after.len())) - head;
        let pairs = before.iter().rev().zip(after.iter().rev()).take(rest);
        let tail = pairs.take_while(|(old, new)| is_same(old, new)).count();
        let (old, new) = (before.len() - head - tail, after.len() - head - tail);
        for at in (head + old.min(new)..head + old).rev() {
            self.at(&at.to_string(), |patch| {
                patch.push(OperationKind::Remove, None)
            });
        }
        // From here on, the remaining old elements have the indexes of the new ones.
        let kept = before.iter().take(head + old.min(new));
        let mut kept = kept.chain(before.iter().skip(head + old));
        let added = head + old.min(new)..head + new;
        for (at, value) in after.iter().enumerate() {
            self.at(&at.to_string(), |patch| {
                if added.contains(&at) {
                    patch.push(OperationKind::Add, Some(value));
                } else if let Some(old) = kept.next() {
                    patch.compare(old, value);
                }
            });
        }
    }
}

/// Returns whether two list elements describe the same object, so that one is a new version of the other.
fn is_same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => old.get("id") == new.get("id"),
        _ => old == new,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(before: Value, after: Value) -> Value {
        let operations = between(Some(&before), &after);
        let patch: json_patch::Patch =
            serde_json::from_value(serde_json::to_value(&operations).unwrap()).unwrap();
        let mut document = before;
        json_patch::patch(&mut document, &patch).unwrap();
        assert_eq!(document, after);
        serde_json::to_value(operations).unwrap()
    }

    #[test]
    fn a_card_that_leaves_a_hand_is_one_removal() {
        let hand = |ids: &[&str]| json!({"hand": ids.iter().map(|id| json!({"id": id})).collect::<Vec<_>>()});
        assert_eq!(
            patched(hand(&["a", "b", "c"]), hand(&["a", "c"])),
            json!([{"op": "remove", "path": "/hand/1"}])
        );
        assert_eq!(
            patched(hand(&["a", "c"]), hand(&["a", "b", "c"])),
            json!([{"op": "add", "path": "/hand/1", "value": {"id": "b"}}])
        );
        assert_eq!(patched(hand(&["a"]), hand(&["a"])), json!([]));
    }

    #[test]
    fn whatever_changes_the_patch_leads_there() {
        patched(
            json!({"a/b~": 1, "gone": [1]}),
            json!({"a/b~": null, "new": {}}),
        );
        patched(json!([1, 2, 3, 4]), json!([4, 3]));
        patched(json!([1, 2]), json!([3, 4, 5, 2]));
        patched(json!([]), json!([[1], {"id": 1}]));
        patched(
            json!([{"id": 1, "x": 1}, {"id": 2, "x": 1}]),
            json!([{"id": 2, "x": 2}, {"id": 1, "x": 2}]),
        );
        patched(json!({"a": [1]}), json!(7));
        let lists = [
            vec![],
            vec![1],
            vec![1, 2],
            vec![2, 1, 3],
            vec![3, 1, 2, 1],
            vec![1, 1, 1],
        ];
        for before in &lists {
            for after in &lists {
                patched(json!(before), json!(after));
            }
        }
    }

    #[test]
    fn without_a_document_before_all_of_it_is_added() {
        let operations = serde_json::to_value(between(None, &json!({"a": 1}))).unwrap();
        assert_eq!(
            operations,
            json!([{"op": "add", "path": "", "value": {"a": 1}}])
        );
    }
}
