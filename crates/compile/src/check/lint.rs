//! Warnings about definitions that compile but are probably wrong. Callers that show warnings request them separately.

use std::collections::{BTreeMap, BTreeSet};

use super::asked::Asked;
use super::checked::Checked;
use super::doubts::Doubtful;
use super::{
    Cores, allowed, announced, beyond, boxed, endless, naming, reachable, suspicious, texts,
    translate,
};
use crate::compile::Notes;
use crate::compile::passes::extents::{Extents, called_by, ops_in, rests, supposed_by};
use crate::names::walk;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span, did_you_mean};
use wyrmgate_lang::ast::{Block, ExprKind, Name, Signature, Stmt, StmtKind};
use wyrmgate_lang::definition::{ComponentDef, Definition};
use wyrmgate_lang::load::is_game_name;
use wyrmgate_program::{
    Address, ComponentDraw, ComponentInfo, EffectId, Expr, ExprId, Op, Program, See,
};

/// Reports warnings about a definition without errors.
pub fn warn(checked: &Checked, report: &mut Report) {
    warn_on(&Cores::others(), checked, report);
}

/// Reports warnings about a definition without errors, sharing cores with other work.
pub fn warn_on(cores: &Cores, checked: &Checked, report: &mut Report) {
    let mut seen = Seen::default();
    let mut found = Report::default();
    translate(
        cores,
        checked,
        &mut found,
        |noted| noted,
        |(program, notes)| {
            seen.look(&program, notes);
        },
    );
    unused_names(&checked.definition, &seen, report);
    unused_components(&checked.definition, &seen, report);
    unused_effects(&checked.definition, &seen, report);
    fields_of_one_kind(&checked.definition, report);
    courses(&checked.definition, &seen, report);
    seen.asked.warn(report);
    unshuffled(&checked.definition, &seen, report);
    texts::warn(&checked.definition, report);
    reachable::warn(checked, report);
    suspicious::warn(&checked.definition, report);
    beyond::warn(&checked.definition, report);
    announced::warn(&checked.definition, report);
    boxed::warn(&checked.definition, report);
    for text in walk::texts(&checked.definition) {
        walk::blocks(text, &mut |block| unreachable(block, report));
    }
    turns_of_nobody(&checked.definition, report);
    name_of_folder(&checked.definition, report);
    seen.doubtful.warn(report);
    endless::warn(&seen.circles, report);
    report.gather();
    allowed::apply(&checked.definition, report);
}

/// Observations over all setups.
#[derive(Default)]
struct Seen {
    used: BTreeSet<String>,
    /// Declared effects by location, and those that `play` reaches.
    effects: BTreeSet<Span>,
    reached: BTreeSet<Span>,
    endless: BTreeSet<Span>,
    finishes: bool,
    asked: Asked,
    doubtful: Doubtful,
    circles: BTreeSet<endless::Circle>,
    /// Names of hidden piles from which components are drawn, and of piles that are shuffled.
    drawn: BTreeSet<String>,
    shuffled: BTreeSet<String>,
}

impl Seen {
    fn look(&mut self, program: &Program, notes: Notes) {
        self.used.extend(notes.used);
        self.look_at_piles(program);
        self.asked.look(program);
        self.doubtful.look(program, notes.doubts);
        self.circles.extend(endless::circles(program));
        let extents = Extents::of(program);
        let mut reached = extents.reached(program.code.play);
        let resigns = program.code.resigns.into_iter();
        reached.extend(resigns.flat_map(|of| extents.reached(of.effect)));
        let mut ops = reached.iter().flat_map(|id| extents.ops(*id));
        self.finishes |= ops.any(|op| op.facts().finishes);
        let in_exprs = program.exprs.iter().filter_map(|expr| supposed_by(*expr));
        let in_lists = program.sets.iter().filter_map(|list| supposed_by(*list));
        let supposed = in_exprs.chain(in_lists);
        let supposed: BTreeSet<EffectId> = supposed.flat_map(|id| extents.reached(id)).collect();
        for (id, span) in notes.effects {
            self.effects.insert(span);
            if reached.contains(&id) || supposed.contains(&id) {
                self.reached.insert(span);
            }
        }
        let rests = match notes.endless.is_empty() {
            true => Vec::new(),
            false => extents.that_rest(),
        };
        for (range, span) in notes.endless {
            if !ends(program, &rests, range) {
                self.endless.insert(span);
            }
        }
    }
}

impl Seen {
    fn look_at_piles(&mut self, program: &Program) {
        for op in &program.code.ops {
            match *op {
                Op::Draw(ComponentDraw { from, .. }) => {
                    let pile = pile_of(program, from).filter(|zone| is_hidden_pile(program, *zone));
                    self.drawn
                        .extend(pile.and_then(|zone| zone_name(program, zone)));
                }
                Op::Shuffle(zone) => match pile_of(program, zone) {
                    Some(zone) => self.shuffled.extend(zone_name(program, zone)),
                    // It may be any.
                    None => self
                        .shuffled
                        .extend(program.zone_names().map(str::to_owned)),
                },
                _ => {}
            }
        }
    }
}

/// Returns the zone, if it is constant.
fn pile_of(program: &Program, expr: ExprId) -> Option<usize> {
    match program.exprs.get(expr as usize)? {
        Expr::Const(zone) => usize::try_from(*zone).ok(),
        _ => None,
    }
}

fn is_hidden_pile(program: &Program, zone: usize) -> bool {
    let see = program.zones.get(zone).map(|zone| zone.see);
    let begin_there = |c: &&ComponentInfo| usize::from(c.starts_in) == zone;
    let mut there = program.components.iter().filter(begin_there);
    matches!(see, Some(See::Count | See::Nothing)) && there.nth(1).is_some()
}

fn zone_name(program: &Program, zone: usize) -> Option<String> {
    program.zone_names().nth(zone).map(str::to_owned)
}

// ---- what code comes to

/// Returns whether a loop without a condition can rest or be left. `resting` are the effects that can rest.
fn ends(program: &Program, resting: &[bool], range: std::ops::Range<Address>) -> bool {
    let leaves = |op: &Op| match op {
        Op::Return => true,
        Op::Jump(to) => *to >= range.end || leaves_to_end(program, &range, *to),
        _ => rests(op),
    };
    let comes_to_rest = |id: EffectId| resting.get(usize::from(id)).copied() == Some(true);
    ops_in(program, range.clone())
        .any(|op| leaves(op) || called_by(program, op).into_iter().any(comes_to_rest))
}

/// `stop` jumps past the last backward jump, to where the loop frees its lists.
fn leaves_to_end(program: &Program, range: &std::ops::Range<Address>, to: Address) -> bool {
    let mut behind = ops_in(program, to..range.end);
    range.contains(&to) && !behind.any(|op| matches!(op, Op::Jump(_)))
}

// ---- names: an overlay may make those of its game useless

fn unused_names(def: &Definition, seen: &Seen, report: &mut Report) {
    let queries = def.behaviors().flat_map(|of| &of.queries);
    let queries = queries.filter_map(|q| Some(("query", q.signature.first_word()?)));
    let is_kind = |value: &Name| def.all_kinds().any(|kind| kind.name.span == value.span);
    let types = def.values.types.iter();
    let of_kinds = types.filter(|of| of.values.iter().any(is_kind));
    let of_kinds: Vec<Span> = of_kinds.map(|of| of.name.span).collect();
    for (what, name) in naming::declared(def).chain(queries) {
        let is_made = name.text.contains('.') || of_kinds.contains(&name.span); // of a table
        if !is_made && !seen.used.contains(&name.text) && !def.is_overlaid(name.span) {
            let message = format!("the {what} `{}` is never used", name.text);
            let help = "remove it, or use it; another name may be misspelled";
            report.push(Diagnostic::warning("unused", name.span, message).help(help));
        }
    }
}

/// Components that begin in the box and are never named stay there. Components that begin elsewhere may be used without
/// being named.
fn unused_components(def: &Definition, seen: &Seen, report: &mut Report) {
    for component in &def.components {
        let mut kinds = component.with_kinds();
        let is_placed = kinds.any(|kind| kind.starts_in.is_some());
        let is_named = component.with_kinds().any(|kind| is_named(kind, seen));
        if !is_placed && !is_named {
            let name = &component.name;
            let message = format!("no rule uses `{}`, and it begins in no zone", name.text);
            let help =
                "add `in:` with the zone where it begins, move it there in the rules, or remove it";
            report.push(Diagnostic::warning("unused", name.span, message).help(help));
        }
    }
}

/// The most fields of a family that are compared with each other.
const FIELDS_COMPARED: usize = 40;

/// Reports `coin: 1` of one kind, if another has `coins` and this one has not.
fn fields_of_one_kind(def: &Definition, report: &mut Report) {
    let names = |kind: &ComponentDef| -> Vec<String> {
        let all = kind.fields.iter().chain(&kind.each);
        all.map(|(name, _)| name.text.clone()).collect()
    };
    for family in &def.components {
        let mut counts = BTreeMap::<String, usize>::new();
        for name in family.with_kinds().flat_map(names) {
            *counts.entry(name).or_default() += 1;
        }
        if counts.len() > FIELDS_COMPARED {
            continue;
        }
        for kind in &family.kinds {
            let own = names(kind);
            let lacks = counts.keys().filter(|name| !own.contains(name));
            let lacks: Vec<&str> = lacks.map(String::as_str).collect();
            let alone = kind.fields.iter().map(|(name, _)| name);
            for name in alone.filter(|name| counts.get(&name.text) == Some(&1)) {
                let Some(meant) = did_you_mean(&name.text, lacks.iter().copied()) else {
                    continue;
                };
                let message = format!("only `{}` has the field `{}`", kind.name.text, name.text);
                let warning = Diagnostic::warning("unused", name.span, message);
                let help = format!("did you mean `{meant}`, which others have?");
                report.push(warning.help(help));
            }
        }
    }
}

fn is_named(kind: &ComponentDef, seen: &Seen) -> bool {
    let name = &kind.name.text;
    seen.used.contains(name) || seen.used.contains(&kind.plural_name().text)
}

fn unused_effects(def: &Definition, seen: &Seen, report: &mut Report) {
    let start = def.positions.drawn.as_ref();
    let drawn: Vec<&Name> = start.map_or(Vec::new(), |start| start.called().collect());
    let is_drawn = |span: &Span| {
        let effects = def.behavior.effects.iter();
        let names = effects.filter_map(|effect| effect.signature.first_word());
        let mut named = names.filter(|name| drawn.iter().any(|drawn| drawn.text == name.text));
        named.any(|name| {
            name.span.file == span.file && (span.start..=span.end).contains(&name.span.start)
        })
    };
    let unused = seen.effects.difference(&seen.reached);
    // In another position, another letter may stand.
    for span in unused.filter(|span| !is_drawn(span) && !def.is_overlaid(**span)) {
        let help = "`play` never reaches it: call it, or remove it";
        report.push(Diagnostic::warning("unused", *span, "this effect never runs").help(help));
    }
}

// ---- the course of the game

/// Reports a hidden pile in the order of the box, which everybody knows.
fn unshuffled(def: &Definition, seen: &Seen, report: &mut Report) {
    for zone in &def.zones {
        let name = &zone.name;
        if seen.drawn.contains(&name.text) && !seen.shuffled.contains(&name.text) {
            let message = format!("`{}` is drawn from but never shuffled", name.text);
            let help = format!(
                "write `shuffle {}` first; otherwise every game deals the same cards",
                name.text
            );
            report.push(Diagnostic::warning("never-shuffled", name.span, message).help(help));
        }
    }
}

fn courses(def: &Definition, seen: &Seen, report: &mut Report) {
    if !seen.finishes {
        let message = "the game never says who wins";
        let help = "write `finish won by p`, `finish ranked by …` or `finish drawn` where it ends";
        report.push(Diagnostic::warning("no-finish", def.name.span, message).help(help));
    }
    for span in &seen.endless {
        let message = "infinite loop: it contains no decision, and nothing ends it";
        let help = "add `stop` or `finish` under a condition, or a decision";
        report.push(Diagnostic::warning("endless", *span, message).help(help));
    }
}

/// Reports a name that differs from that of the folder, which commands and clients use.
fn name_of_folder(def: &Definition, report: &mut Report) {
    let (name, folder) = (&def.name, &def.origin.folder);
    if is_game_name(folder) && *folder != name.text {
        let message = format!(
            "this game is called `{}`, but its folder `{folder}`",
            name.text
        );
        let warning = Diagnostic::warning("game-name", name.span, message);
        let help = format!("use one name for both: write `game: {folder}`, or rename the folder");
        report.push(warning.help(help).repair(name.span, folder));
    }
}

/// `turns from active` in `play`, before anybody's turn.
fn turns_of_nobody(def: &Definition, report: &mut Report) {
    let is_play = |signature: &Signature| matches!(signature, Signature::Phrase(words) if matches!(words.as_slice(), [word] if word.text == "play"));
    let mut effects = def.behavior.effects.iter();
    let play = effects.find(|effect| is_play(&effect.signature));
    for statement in play.into_iter().flat_map(|play| play.body.iter()) {
        if let StmtKind::Turns { from, .. } = &statement.kind
            && matches!(&from.kind, ExprKind::Name(name) if name.text == "active")
        {
            let message = "nobody takes these turns: `active` is nobody before the first turn";
            let help = "begin with a seat: `turns from seat(1)`";
            report.push(Diagnostic::warning("no-seat", from.span, message).help(help));
        }
    }
}

/// Statements after one that leaves the block.
fn unreachable(block: &Block, report: &mut Report) {
    let leaves = |statement: &Stmt| {
        matches!(
            statement.kind,
            StmtKind::Stop
                | StmtKind::Next
                | StmtKind::Return
                | StmtKind::Answer { .. }
                | StmtKind::Prevent
                | StmtKind::Finish(_)
        )
    };
    let Some(at) = block.iter().position(leaves) else {
        return;
    };
    if let (Some(leaving), Some(after)) = (block.get(at), block.get(at + 1)) {
        report.push(
            Diagnostic::warning("unreachable", after.span, "this is never reached")
                .related(leaving.span, "the line above leaves the block")
                .help("remove it, or put a condition before the line above"),
        );
    }
}
