//! `wyrmgate docs`: a rulebook with everything that the rules say.

use std::fs;

use crate::support::command::wyrmgate;

#[test]
fn the_page_has_every_clause_component_and_option() {
    let ran = wyrmgate(&["docs", "magic-dragon"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let html = ran.out;
    let clauses = fs::read_to_string("rules/magic-dragon/clauses.yaml").unwrap();
    for id in clauses
        .lines()
        .filter_map(|line| line.trim().split_once(": "))
        .map(|(id, _)| id)
    {
        if id.starts_with("MAG-") {
            assert!(html.contains(&format!(">{id}<")), "{id} is missing");
        }
    }
    assert!(
        html.contains("<td class=\"count\">35</td><td>Dragon</td>"),
        "{html}"
    );
    assert!(html.contains("color: red, yellow, black, purple, green"));
    assert!(html.contains("Players: 2–5"));
    assert!(
        !html.contains("http://") || !html.contains("<script"),
        "it needs something else"
    );
}

#[test]
fn what_each_player_has_is_counted_once() {
    let drakon = wyrmgate(&["docs", "drakon"]).out;
    let sheet = "<td class=\"count\">1 per player</td><td>Reference sheet</td>";
    assert!(drakon.contains(sheet), "{drakon}");
}

#[test]
fn boards_and_tracks_are_pictures() {
    let html = wyrmgate(&["docs", "breakthrough"]).out;
    assert!(html.contains("<svg "), "{html}");
    assert!(html.matches("class=\"space\"").count() >= 16);
    assert!(html.matches("class=\"piece\"").count() >= 8);
    let track = wyrmgate(&["docs", "way-of-the-dragon"]).out;
    assert!(track.contains("<svg "));
}

#[test]
fn pictures_are_well_formed() {
    for game in ["breakthrough", "way-of-the-dragon", "mount-drago", "drakon"] {
        let html = wyrmgate(&["docs", game]).out;
        for svg in html
            .split("<svg ")
            .skip(1)
            .map(|rest| rest.split("</svg>").next().unwrap())
        {
            let tags = |open: &str| svg.matches(open).count();
            assert_eq!(tags("<g>") + tags("<g "), tags("</g>"), "{game}");
            assert_eq!(tags("<text"), tags("</text>"), "{game}");
            assert!(!svg.contains("NaN"), "{game}");
        }
    }
}

#[test]
fn it_is_told_in_the_language_asked_for() {
    let html = wyrmgate(&["docs", "mount-drago", "--lang", "es"]).out;
    assert!(
        html.contains("<html lang=\"es\">") && html.contains("Monte Drago"),
        "{html}"
    );
    let ran = wyrmgate(&["docs", "mount-drago", "--lang", "fr"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("en, es"), "{}", ran.err);
}

#[test]
fn markdown_has_its_pictures_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.md");
    let ran = wyrmgate(&["docs", "breakthrough", "--out", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("# Breakthrough\n"), "{text}");
    let picture = text.split("](").nth(1).unwrap().split(')').next().unwrap();
    assert!(
        fs::read_to_string(folder.path().join(picture))
            .unwrap()
            .starts_with("<svg ")
    );
    // Those of the examples follow those of the boards.
    assert!(text.contains("![Before](rules-2.svg)"), "{text}");
    assert!(folder.path().join("rules-3.svg").is_file());
}

/// A rulebook has a table of contents, pictures of its cards with their texts, and headings in its language.
#[test]
fn a_rulebook_leads_to_its_sections_and_shows_its_cards() {
    let html = wyrmgate(&["docs", "drakon"]).out;
    let nav = html.split("<nav").nth(1).unwrap();
    let nav = nav.split("</nav>").next().unwrap();
    for section in ["Components", "Rules"] {
        assert!(nav.contains(&format!("href=\"#{section}\"")), "{nav}");
        assert!(html.contains(&format!("id=\"{section}\"")), "{section}");
    }
    // The two rooms that lead the same way are drawn once.
    let looks = html.split("class=\"looks\"").skip(1);
    let drawn = looks.map(|cell| cell.split("</td>").next().unwrap().matches("<svg").count());
    assert!(drawn.sum::<usize>() >= 40, "{}", html.len());
    let spanish = wyrmgate(&["docs", "mount-drago", "--lang", "es"]).out;
    assert!(spanish.contains("Componentes") && !spanish.contains(">Components<"));
}

/// Examples are pictures of what differs before and after the choices of a scenario, with what was chosen.
#[test]
fn examples_show_the_moves_of_scenarios() {
    let html = wyrmgate(&["docs", "chess"]).out;
    let section = html.split("id=\"Examples\"").nth(1).unwrap();
    assert_eq!(
        html.matches("<figure class=\"move\">").count(),
        section.matches("<figure class=\"move\">").count()
    );
    let passant = "A pawn that has just gone two squares is captured as if it had gone one";
    let own = section.split(passant).nth(1).unwrap();
    let own = own.split("<h3").next().unwrap();
    let pictures: Vec<&str> = own.split("<figure class=\"move\">").skip(1).collect();
    assert_eq!(pictures.len(), 3, "before, and after two moves");
    let pieces = |picture: &str| picture.matches("class=\"piece\"").count();
    assert_eq!(pieces(pictures[0]), pieces(pictures[1]));
    assert_eq!(
        pieces(pictures[1]),
        pieces(pictures[2]) + 1,
        "one is captured"
    );
    assert!(pictures[0].contains("<figcaption>Before</figcaption>"));
    assert!(
        pictures[2].contains("<figcaption>Seat 2"),
        "{}",
        pictures[2]
    );
    // A clause leads to the examples that show it.
    let clause = html.split("<dt id=\"CHS-03\">").nth(1).unwrap();
    assert!(
        clause
            .split("</dd>")
            .next()
            .unwrap()
            .contains("href=\"#example-")
    );
}

/// Cards of a hand that the mover does not see stay hidden, and what does not change is left out.
#[test]
fn examples_show_what_the_mover_sees() {
    for game in [
        "drakon",
        "magic-dragon",
        "mount-drago",
        "sneaky-dragons",
        "way-of-the-dragon",
    ] {
        let html = wyrmgate(&["docs", game]).out;
        let section = html.split("id=\"Examples\"").nth(1).expect(game);
        let examples = section.matches("<h3 id=\"example-").count();
        assert!(examples >= 4, "{game}: {examples}");
        assert!(
            section.matches("<figure class=\"move\">").count() >= 2 * examples - 1,
            "{game}"
        );
        assert!(!section.contains("NaN"), "{game}");
    }
}

/// The rulebook of a variant marks what is new, changed and removed, in words and not by color alone.
#[test]
fn changes_of_a_variant_are_marked() {
    let html = wyrmgate(&["docs", "drakon+golden-hall"]).out;
    let of = |mark: &str| {
        html.split(mark)
            .nth(1)
            .unwrap()
            .split("</dd>")
            .next()
            .unwrap()
    };
    assert!(of("<dt id=\"DKN-80\">").contains("<strong class=\"sign\">New</strong> Who enters"));
    assert!(!of("<dt id=\"DKN-01\">").contains("class=\"sign\""));
    assert!(
        html.contains("<strong class=\"sign\">New</strong> Golden Hall"),
        "a component"
    );
    // The examples of the game that hold in the variant, and its own.
    assert!(html.contains("The Golden Hall gives two coins"));
    assert!(html.contains("A hero leaves by an arrow"));
    let html = wyrmgate(&["docs", "magic-dragon+quick"]).out;
    let clause = html.split("<dt id=\"MAG-38\">").nth(1).unwrap();
    let clause = clause.split("</dd>").next().unwrap();
    assert!(
        clause.contains(">Changed</strong>") && clause.contains("<del>"),
        "{clause}"
    );
    assert!(html.contains("<li>goal: 40 → 20</li>"), "numbers");
    let markdown = wyrmgate(&["docs", "drakon+golden-hall", "--format", "md"]).out;
    assert!(
        markdown.contains("- **DKN-80** **New:** Who enters"),
        "{markdown}"
    );
    assert!(!wyrmgate(&["docs", "drakon"]).out.contains("class=\"sign\""));
}

/// Every component of the game, as often as the game has it, on paper of A4.
#[test]
fn sheets_have_every_component_and_board() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let ran = wyrmgate(&["print", "drakon", "--out", out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    let pages = index.matches("<section>").count();
    let first = fs::read_to_string(folder.path().join("page-1.svg")).unwrap();
    assert!(
        first.contains("width=\"198mm\" height=\"285mm\""),
        "{}",
        &first[..300]
    );
    assert!(folder.path().join(format!("page-{pages}.svg")).is_file());
    // 72 chambers, 28 coins, 7 figures, 2 reference sheets.
    assert_eq!(index.matches("class=\"piece\"").count(), 109);
    let board = wyrmgate(&["print", "chess", "--out", out]);
    assert_eq!(board.code, 0, "{}", board.err);
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(index.matches("class=\"space\"").count() >= 64);
}

/// The backs of cards lie behind their fronts if the paper is turned about its long edge.
#[test]
fn sheets_have_the_backs_behind_the_fronts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let ran = wyrmgate(&["print", "sneaky-dragons", "--out", out]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = |number: usize| {
        fs::read_to_string(folder.path().join(format!("page-{number}.svg"))).unwrap()
    };
    let index = fs::read_to_string(folder.path().join("index.html")).unwrap();
    assert!(!index.contains('↓'), "nothing lies face down on paper");
    // The first page is the board. A card begins with its outline.
    let lefts = |page: &str| -> Vec<f32> {
        let cards = page.split("class=\"piece\"").skip(1);
        let left = |card: &str| {
            let (_, outline) = card.split_once("<rect x=\"").unwrap();
            outline.split_once('"').unwrap().0.parse().unwrap()
        };
        cards.map(left).collect()
    };
    let (fronts, backs) = (page(2), page(3));
    assert!(fronts.contains("Movement") && !backs.contains("Movement"));
    assert!(backs.contains("courage") && !fronts.contains("courage"));
    let (fronts, backs) = (lefts(&fronts), lefts(&backs));
    assert_eq!(fronts.len(), backs.len());
    let width = 198.0 * 200.0 / 63.0;
    for (front, back) in fronts.iter().zip(&backs) {
        // Outlines lie three units within their cards, which are 204 units wide.
        let mirrored = width - (front - 3.0) - 204.0 + 3.0;
        assert!((back - mirrored).abs() < 0.2, "{back} is not {mirrored}");
    }
}

/// On paper, examples do not begin at the end of a page, and the parts of an entry stay together.
#[test]
fn rulebooks_are_laid_out_for_paper() {
    let html = wyrmgate(&["docs", "drakon"]).out;
    let (_, print) = html.split_once("@media print{@page").unwrap();
    assert!(print.contains("h2,h3,p.shows,thead{break-after:avoid}"));
    let entries = html.matches("<dt ").count();
    assert_eq!(html.matches("<div><dt ").count(), entries);
    assert_eq!(
        html.matches("<table>").count(),
        html.matches("<thead>").count()
    );
}
