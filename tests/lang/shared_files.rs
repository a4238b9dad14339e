//! Files that several rulesets share are read once.

use wyrmgate::lang::{Bundle, Known};

fn bundle(overlay: &str) -> Bundle {
    let game = "game: race\nplayers: 2\ndata:\n  length: 8\neffects:\n  play: finish drawn\n";
    let files = [("race/game.yaml", game), ("short.yaml", overlay)];
    Bundle {
        name: "race+short".into(),
        files: files.map(|(path, text)| (path.into(), text.into())).into(),
        roots: vec!["race/game.yaml".into(), "short.yaml".into()],
    }
}

#[test]
fn files_of_one_number_are_told_apart_by_their_text() {
    let known = Known::default();
    for overlay in [
        "extends: race\nchange: {data.length: 5}\n",
        "extends: race\nchange: {data.length: 6}\n",
        "extends: race\nchange: {data.length: }\n",
        "extends: race\nchange: {data.length: 5}\n",
    ] {
        let bundle = bundle(overlay);
        let (alone, with_others) = (bundle.load(), bundle.load_knowing(Some(&known)));
        assert_eq!(alone.definition, with_others.definition, "{overlay}");
        assert_eq!(alone.report, with_others.report, "{overlay}");
    }
    assert_eq!(known.count(), 4, "the game and three overlays");
}
