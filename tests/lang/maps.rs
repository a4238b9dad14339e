//! Entries of a map are found, replaced and removed by key.

use wyrmgate::diagnostic::{FileId, Span};
use wyrmgate::lang::yaml::{Budget, Map, Node, NodeKind, parse};

fn map(count: usize) -> Map {
    let text: String = (0..count).map(|n| format!("k{n}: {n}\n")).collect();
    let mut report = Default::default();
    let node = parse(FileId(0), &text, &mut Budget::default(), &mut report).unwrap();
    let NodeKind::Map(map) = node.kind else {
        panic!("a map");
    };
    map
}

fn value(map: &Map, key: &str) -> Option<String> {
    map.find(key)
        .and_then(|(_, node)| node.text().map(str::to_owned))
}

#[test]
fn small_and_large_maps_are_changed_alike() {
    for count in [5, 100] {
        let mut map = map(count);
        assert_eq!(value(&map, "k3").unwrap(), "3");
        let (key, node) = map.find("k4").cloned().unwrap();
        map.push((key.clone(), node));
        assert_eq!(map.take("k1").unwrap().text(), Some("1"));
        assert_eq!(map.take("k4").unwrap().text(), Some("4"));
        map.sweep();
        // The second of this key is the first now.
        assert_eq!(map.position("k4"), Some(count - 2));
        map.put((key, Node::empty_map(Span::default())));
        assert_eq!(map.len(), count - 1);
        assert!(map.take("k4").is_some());
        assert!(map.find("k4").is_none() && map.take("k1").is_none());
        map.sweep();
        assert_eq!(map.len(), count - 2);
        assert_eq!(value(&map, "k0").unwrap(), "0");
    }
}
