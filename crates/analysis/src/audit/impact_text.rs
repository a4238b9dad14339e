//! A comparison of two sets of rules in words: the tables that the command prints and the workbench shows.

use super::impact::{Impact, ImpactMeasure, KindUse, Used};
use crate::statistics::Mean;

/// Minimum difference in the use of a kind to appear in the text report. JSON has all of them.
const USE_DIFFERS: f64 = 0.05;

/// Returns the tables of all numbers of seats. The titles are those of the two rules.
pub fn impact_text(titles: [&str; 2], rows: &[Impact], interrupted: bool) -> String {
    let mut lines = Vec::new();
    for row in rows {
        lines.extend(table(titles, row));
        lines.push(String::new());
    }
    lines.push("* significant: p < 0.05 for all rows of a table together".to_owned());
    if interrupted {
        lines.push("interrupted or out of time: the remaining games were not played".to_owned());
    }
    lines.join("\n")
}

/// Returns the table of one number of seats, and the kinds that are used differently or not at all.
fn table(titles: [&str; 2], row: &Impact) -> Vec<String> {
    let [base, other] = titles;
    let mut lines = vec![format!(
        "{:<27}{:<25}{:<25}difference",
        format!("{} seats, {} games", row.seats, row.games),
        shortened(base),
        shortened(other)
    )];
    lines.extend(row.measures.iter().map(measure_line));
    for (title, failed) in titles.iter().zip(row.failed) {
        if failed > 0 {
            lines.push(format!("  {failed} games of {title} did not finish"));
        }
    }
    lines.extend(use_lines(row));
    lines
}

/// Shortens a title to the width of a column.
fn shortened(title: &str) -> String {
    const WIDTH: usize = 23;
    if title.chars().count() <= WIDTH {
        return title.to_owned();
    }
    let kept: String = title.chars().take(WIDTH - 1).collect();
    kept + "…"
}

fn measure_line(measure: &ImpactMeasure) -> String {
    let show = |number: f64| match measure.is_share {
        true => format!("{:.1} %", number * 100.0),
        false => format!("{number:.2}"),
    };
    let side = |mean: Mean| {
        let whole = show(mean.mean);
        format!(
            "{whole:>8} ({} to {})",
            plain(show(mean.low)),
            plain(show(mean.high))
        )
    };
    let difference = measure.difference;
    let signed = |number: f64| match measure.is_share {
        true => format!("{:+.1}", number * 100.0),
        false => format!("{number:+.2}"),
    };
    let star = if measure.significant { " *" } else { "" };
    format!(
        "  {:<25}{:<25}{:<25}{:>7} ({} to {}){star}",
        measure.name,
        side(measure.base),
        side(measure.other),
        signed(difference.mean),
        signed(difference.low),
        signed(difference.high),
    )
}

/// Returns the number without its unit sign.
fn plain(number: String) -> String {
    number.trim_end_matches(" %").to_owned()
}

/// Lists kinds that are used differently or not at all.
fn use_lines(row: &Impact) -> Vec<String> {
    let told: Vec<&KindUse> = row.uses.iter().filter(|kind| is_told(kind)).collect();
    if told.is_empty() {
        return Vec::new();
    }
    let head = "  used in a game, of its components (chosen by somebody)";
    let mut lines = vec![head.to_owned()];
    lines.extend(told.into_iter().map(|kind| {
        format!(
            "    {:<23}{:<25}{}",
            kind.kind,
            used(kind.base),
            used(kind.other)
        )
    }));
    lines
}

fn is_told(kind: &KindUse) -> bool {
    match (kind.base, kind.other) {
        (Some(base), Some(other)) => {
            let unused = base.in_play == 0.0 || other.in_play == 0.0;
            let moved = (base.in_play - other.in_play).abs() >= USE_DIFFERS;
            unused || moved || (base.chosen - other.chosen).abs() >= USE_DIFFERS
        }
        _ => true,
    }
}

fn used(used: Option<Used>) -> String {
    match used {
        None => "there is none".into(),
        Some(used) if used.in_play == 0.0 => "never".into(),
        Some(used) => format!(
            "{:>5.1} % ({:.1} %)",
            used.in_play * 100.0,
            used.chosen * 100.0
        ),
    }
}
