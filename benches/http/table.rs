//! Prints the measurements as a table or as JSON: medians over the rounds, and ratios within a round.

use serde_json::{Value, json};

use crate::load::{Plan, Rates};
use crate::server::Kind;

/// One server in one round.
pub struct Measured {
    pub kind: Kind,
    /// With all connections.
    pub many: Rates,
    /// With a single connection.
    pub one: Rates,
}

/// A figure of one measurement.
type Figure = fn(&Measured) -> f64;

const PER_SECOND: Figure = |it| it.many.moves as f64 / it.many.seconds;
const PER_CPU_SECOND: Figure = |it| it.many.moves_in_all as f64 / it.many.server_cpu.max(0.01);
const MEDIAN: Figure = |it| it.many.median_us;
const P99: Figure = |it| it.many.p99_us;
const ALONE: Figure = |it| it.one.median_us;

pub fn print(plan: &Plan, servers: &[Kind], measured: &[Measured]) {
    println!(
        "{}, {} connections; ratios are to the floor above, in the same round",
        plan.game, plan.connections
    );
    println!(
        "{:10} {:>10} {:>7} {:>12} {:>7} {:>9} {:>9} {:>10} {:>7}",
        "", "moves/s", "ratio", "moves/CPU s", "ratio", "p50 us", "p99 us", "alone us", "ratio"
    );
    for kind in servers {
        let shown = |figure| median(&figures(measured, *kind, figure));
        println!(
            "{:10} {:>10.0} {:>7} {:>12.0} {:>7} {:>9.0} {:>9.0} {:>10.0} {:>7}",
            kind.name(),
            shown(PER_SECOND),
            ratio_text(measured, *kind, PER_SECOND),
            shown(PER_CPU_SECOND),
            ratio_text(measured, *kind, PER_CPU_SECOND),
            shown(MEDIAN),
            shown(P99),
            shown(ALONE),
            ratio_text(measured, *kind, ALONE),
        );
    }
}

pub fn json(plan: &Plan, servers: &[Kind], measured: &[Measured]) -> Value {
    let rows = servers.iter().map(|kind| {
        let shown = |figure| median(&figures(measured, *kind, figure));
        json!({
            "server": kind.name(),
            "floor": kind.floor().name(),
            "moves_per_second": shown(PER_SECOND),
            "moves_per_second_ratio": ratio(measured, *kind, PER_SECOND),
            "moves_per_cpu_second": shown(PER_CPU_SECOND),
            "moves_per_cpu_second_ratio": ratio(measured, *kind, PER_CPU_SECOND),
            "median_us": shown(MEDIAN),
            "p99_us": shown(P99),
            "alone_median_us": shown(ALONE),
            "alone_median_ratio": ratio(measured, *kind, ALONE),
        })
    });
    json!({
        "game": plan.game,
        "connections": plan.connections,
        "servers": rows.collect::<Vec<_>>(),
    })
}

fn ratio_text(measured: &[Measured], kind: Kind, figure: Figure) -> String {
    match kind.is_floor() {
        true => String::new(),
        false => format!("{:.2}", ratio(measured, kind, figure)),
    }
}

/// The median over the rounds of a server's figure by its floor's.
fn ratio(measured: &[Measured], kind: Kind, figure: Figure) -> f64 {
    let own = figures(measured, kind, figure);
    let floor = figures(measured, kind.floor(), figure);
    let ratios: Vec<f64> = own
        .iter()
        .zip(&floor)
        .map(|(own, floor)| own / floor)
        .collect();
    median(&ratios)
}

fn figures(measured: &[Measured], kind: Kind, figure: Figure) -> Vec<f64> {
    measured
        .iter()
        .filter(|it| it.kind == kind)
        .map(figure)
        .collect()
}

fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
