//! Lines on a grid.

use crate::play::said;

/// A board with a gap in its columns, twice; the cards lie on these spaces (board, column, row).
fn lines(taken: &[(i32, i32, i32)], asked: &[&str]) -> Vec<String> {
    let spaces = taken.iter().enumerate();
    let moves = spaces.map(|(i, (board, column, row))| {
        format!(
            "  move card({}) to space({board}, {column}, {row})\n",
            i + 1
        )
    });
    let questions = asked
        .iter()
        .map(|space| format!("  say \"{{in_a_row({space}, it is not empty)}}\"\n"));
    let text: String = moves.chain(questions).collect();
    said(
        &format!("play: |\n{text}"),
        "zones: {space: {each: {board: 1..2, column: [1, 2, 3, 5], row: 1..3}, grid: [column, row]}}",
    )
}

#[test]
fn a_line_is_a_row_a_column_or_a_diagonal() {
    let taken = [(1, 1, 1), (1, 2, 2), (1, 3, 3), (1, 2, 1), (1, 1, 3)];
    let asked = ["space(1, 1, 1)", "space(1, 2, 1)", "space(1, 1, 3)"];
    assert_eq!(lines(&taken, &asked), ["3", "2", "2"]);
    let taken = [(1, 1, 1), (1, 2, 1), (1, 3, 1), (1, 2, 2), (1, 2, 3)];
    let asked = ["space(1, 3, 1)", "space(1, 2, 3)"];
    assert_eq!(lines(&taken, &asked), ["3", "3"]);
    let taken = [(1, 3, 1), (1, 2, 2), (1, 1, 3)];
    assert_eq!(lines(&taken, &["space(1, 2, 2)"]), ["3"]);
}

#[test]
fn a_line_goes_both_ways_and_breaks_at_a_gap() {
    let taken = [(1, 1, 1), (1, 2, 1), (1, 3, 1), (2, 1, 2), (2, 3, 2)];
    let asked = ["space(1, 2, 1)", "space(2, 3, 2)", "space(2, 2, 2)"];
    assert_eq!(lines(&taken, &asked), ["3", "1", "0"]);
}

/// Of 81 and of 144 spaces, more than a word has bits.
#[test]
fn a_line_on_a_large_board_is_as_long_as_its_spaces_say() {
    for size in [9, 12] {
        let sections = format!(
            "zones: {{point: {{each: {{column: 1..{size}, row: 1..{size}}}, grid: [column, row], coordinates: a1}}}}\n\
             vars:\n  flag: {{each: point, type: bool}}\n"
        );
        let effects = "play: |
  each s in [a1, b2, c3, d4, e5, a9, b8, c7, i1, i2, i3, i9, h9, a3, b3]: flag[s] = true
  flag[e5] = false
  say \"{in_a_row(a1, flag[it])} {in_a_row(c3, flag[it])} {in_a_row(d4, flag[it])} {in_a_row(e5, flag[it])}\"
  say \"{in_a_row(b8, flag[it])} {in_a_row(i2, flag[it])} {in_a_row(h9, flag[it])} {in_a_row(a3, flag[it])}\"
  say \"{in_a_row(i9, .row > 2 and .column > 5)} {in_a_row(a1, .column = .row)}\"
";
        let edge = format!("{} {size}", size - 2);
        let expected = ["4 4 4 0", "3 3 2 3", &edge];
        assert_eq!(said(effects, &sections), expected, "{size}");
    }
}

#[test]
fn a_line_keeps_to_its_board_and_does_not_leap_over_missing_columns() {
    let taken = [(1, 3, 1), (1, 5, 1), (2, 3, 2), (1, 3, 3)];
    let asked = ["space(1, 5, 1)", "space(1, 3, 1)", "space(9, 9, 9)"];
    assert_eq!(lines(&taken, &asked), ["1", "1", "0"]);
}

/// A board that declares its directions has lines in these and their opposites, of neighbors or of what it leaps to.
#[test]
fn lines_follow_the_directions_of_a_board() {
    let expected = [
        ("compass", "3 4 5 5"),
        ("orthogonal", "2 4 1 2"),
        ("hexagonal", "2 4 5 5"),
        ("[2, 5]", "3 4 1 2"),
        ("leaps", "1 2 1 2"),
        ("[1, 10]", "1 4 1 1"),
    ];
    // On one word, on two, and on more than a mask has bits.
    for size in [5, 9, 12] {
        for (directions, lengths) in expected {
            let sections = format!(
                "zones: {{point: {{each: {{column: 1..{size}, row: 1..{size}}}, grid: [column, row], directions: {directions}, coordinates: a1}}}}\n\
                 vars:\n  flag: {{each: point, type: bool}}\n"
            );
            let effects = "play: |
  each s in [a1, b2, c3, a2, e1, e2, e3, e4, d2, b4, a5]: flag[s] = true
  say \"{in_a_row(b2, flag[it])} {in_a_row(e2, flag[it])} {in_a_row(a5, flag[it])} {in_a_row(d2, flag[it])}\"
";
            assert_eq!(said(effects, &sections), [lengths], "{directions} {size}");
        }
    }
}
