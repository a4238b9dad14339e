//! Warnings that the rules allow, each with a reason: `allow: {unused peak: The variants use it.}`

use super::naming;
use wyrmgate_base::diagnostic::{Diagnostic, Report, Severity, Span};
use wyrmgate_lang::ast::Signature;
use wyrmgate_lang::definition::{AllowDef, Behavior, Definition};

/// Drops the warnings that are allowed, and warns about permissions without a warning. A game with overlays answers only
/// for those of its overlays, because an overlay can remove the reason for a warning.
pub(super) fn apply(def: &Definition, report: &mut Report) {
    if def.allow.is_empty() {
        return;
    }
    let mut declared = declared(def);
    declared.sort();
    let mut used = vec![false; def.allow.len()];
    report.diagnostics.retain(|warning| {
        let around = part_around(warning.span, &declared);
        let mut allowed = def.allow.iter().enumerate();
        let found = allowed.find(|(_, allowed)| concerns(allowed, warning, around));
        if let Some((at, _)) = found
            && let Some(used) = used.get_mut(at)
        {
            *used = true;
        }
        found.is_none()
    });
    report.index();
    for (allowed, used) in def.allow.iter().zip(used) {
        if !used && !def.is_overlaid(allowed.code.span) {
            let message = "this allows a warning that does not occur";
            let help = "remove the line, or correct the code or the name";
            report
                .push(Diagnostic::warning("unneeded-allow", allowed.code.span, message).help(help));
        }
    }
}

/// Returns whether a warning is allowed: by its code, and by a name in its message or the part of the rules where it is.
fn concerns(allowed: &AllowDef, warning: &Diagnostic, around: Option<&str>) -> bool {
    if warning.severity != Severity::Warning || warning.code != allowed.code.text {
        return false;
    }
    let Some(about) = &allowed.about else {
        return true;
    };
    around == Some(about) || warning.message.contains(&format!("`{about}`"))
}

/// Returns the name of the last part of the rules that begins before this place in its file.
fn part_around(place: Span, declared: &[(Span, String)]) -> Option<&str> {
    let behind =
        declared.partition_point(|(span, _)| (span.file, span.start) <= (place.file, place.start));
    let (span, name) = declared.get(behind.checked_sub(1)?)?;
    (span.file == place.file).then_some(name)
}

/// Returns the location and the name of each part of the rules, as its key is written.
fn declared(def: &Definition) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let names = naming::declared(def).map(|(_, name)| name);
    let names = names.chain(def.all_kinds().map(|d| &d.name));
    found.extend(names.map(|name| (name.span, name.text.clone())));
    let signatures = def.behaviors().flat_map(Behavior::signatures);
    found.extend(signatures.map(|(span, signature)| (span, named(signature))));
    found
}

fn named(signature: &Signature) -> String {
    match signature {
        Signature::Call { name, .. } => name.text.clone(),
        Signature::Phrase(words) => {
            let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            words.join(" ")
        }
    }
}
