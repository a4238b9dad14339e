//! What zones and components contain when a game begins, once all of them have numbers.

use std::collections::BTreeMap;

use super::{Layout, ZONES_MAX};
use crate::compile::constants::eval::Keys;
use crate::names::declaration::*;
use crate::names::types::Families;
use crate::names::world::*;
use wyrmgate_base::diagnostic::{Diagnostic, Span, meant_or};
use wyrmgate_lang::ast::{Expr, ExprKind, Name};
use wyrmgate_lang::definition::*;
use wyrmgate_program::*;

/// The number of components of a kind that begin in a zone, and where that is declared.
type Starts = BTreeMap<(KindId, ZoneId), (Span, usize)>;

/// Where the components of a kind begin. This can be evaluated once all zones are known.
pub(super) struct Beginning<'d> {
    pub kind: KindId,
    pub starts_in: &'d Expr,
    pub first: usize,
    /// The keys of each component, and the fields by which it finds its zone.
    pub scopes: Vec<Keys>,
}

impl Layout<'_> {
    /// Fills in the contents of zones and components.
    pub(super) fn contents(&mut self, beginnings: Vec<Beginning<'_>>) {
        let def = self.def;
        let mut starts = Starts::new();
        for beginning in &beginnings {
            self.begin(beginning, &mut starts);
        }
        for component in &def.components {
            self.holds(component);
        }
        for zone in &def.zones {
            if let (Some(holds), Some(Symbol::Family(id))) =
                (&zone.holds, self.world.declared(&zone.name.text))
            {
                let kind = self.kind_named(holds);
                if let Some(family) = self.world.families.get_mut(id as usize) {
                    family.holds = kind;
                }
            }
            if zone.any_order {
                self.are_alike(zone.holds.as_ref());
            }
        }
        self.check_starts(&starts);
    }

    /// Notes that copies of the kind with this name, or of all kinds, are alike.
    fn are_alike(&mut self, name: Option<&Name>) {
        let held = name.map(|name| self.world.symbol(&name.text));
        for (number, kind) in (0..).zip(&mut self.b.program.kinds) {
            kind.alike |= match held {
                None => true,
                Some(Some(Symbol::Kind(held))) => number == held || kind.family == Some(held),
                Some(_) => false,
            };
        }
    }

    /// Puts the components of a kind where they begin.
    fn begin(&mut self, beginning: &Beginning<'_>, starts: &mut Starts) {
        let expr = beginning.starts_in;
        let in_zones = Type::Zone(None);
        let zones = self.evaluator().each(expr, &beginning.scopes, in_zones);
        for (at, zone) in (beginning.first..).zip(zones) {
            let zone = self.start(expr, zone);
            let start = starts.entry((beginning.kind, zone));
            start.or_insert((expr.span, 0)).1 += 1;
            if let Some(component) = self.b.program.components.get_mut(at) {
                component.starts_in = zone;
            }
        }
    }

    /// Returns the zone where a component begins, and reports it if there is none.
    fn start(&mut self, expr: &Expr, zone: i32) -> ZoneId {
        let is_inside =
            |d: &Diagnostic| expr.span.start <= d.span.start && d.span.end <= expr.span.end;
        let is_meant = matches!(expr.kind, ExprKind::None);
        let has_failed = matches!(
            &expr.kind,
            ExprKind::Name(name) | ExprKind::Call(name, _) if self.world.has_failed(&name.text)
        );
        let is_reported = has_failed || self.report.diagnostics.iter().any(is_inside);
        if zone == NONE && !is_meant && !is_reported {
            let help = "check the keys of the zone's `each`, such as a range: `at: 0..8`; without `in`, the component begins in the `box`";
            self.report
                .error("no-such-zone", expr.span, "there is no such zone", help);
        }
        zone.max(0) as ZoneId
    }

    /// Checks that zones allow and can hold the components that begin there.
    fn check_starts(&mut self, starts: &Starts) {
        for ((kind, zone), (span, count)) in starts {
            let Some(info) = self.b.program.zones.get(usize::from(*zone)) else {
                continue;
            };
            let (capacity, family) = (info.capacity, info.family);
            let name = self.b.program.zone_names().nth(usize::from(*zone));
            let name = name.unwrap_or_default().to_owned();
            let holds = self.world.family(family);
            let holds = holds.and_then(|family| family.holds);
            if let Some(wanted) = holds
                && !self.world.fits(
                    Some(Type::Component(Some(*kind))),
                    Some(Type::Component(Some(wanted))),
                )
            {
                let message = format!("`{name}` holds no {}", self.world.kind_name(*kind));
                let help = format!(
                    "its declaration says `holds: {}`",
                    self.world.kind_name(wanted)
                );
                self.report
                    .error("wrong-kind-for-zone", *span, message, help);
            }
            if let Some(most) = capacity
                && *count > usize::from(most)
            {
                let message =
                    format!("{count} components begin in `{name}`, whose capacity is {most}");
                let help = "increase its `capacity`, or start the components elsewhere";
                self.report.error("no-room", *span, message, help);
            }
        }
    }

    fn kind_named(&mut self, name: &Name) -> Option<KindId> {
        if let Some(Symbol::Kind(kind)) = self.world.symbol(&name.text) {
            return Some(kind);
        }
        let meant = self.world.suggest_kind(&name.text);
        let help = meant_or(meant, "kinds are declared under `components`");
        let message = format!("`{}` is not a kind of component", name.text);
        self.unknown("unknown-kind", name, message, help);
        None
    }

    /// Makes the zones inside the components of a family.
    fn holds(&mut self, def: &ComponentDef) {
        for kind in def.kinds.iter().chain(std::iter::once(def)) {
            let Some(holds) = kind.holds.as_ref() else {
                continue;
            };
            let Some(Symbol::Kind(id)) = self.world.declared(&kind.name.text) else {
                continue;
            };
            let of = self.kind_named(&holds.of);
            if !std::ptr::eq(kind, def) && def.holds.is_some() {
                let message = format!(
                    "`{}` already has a zone inside, from its family",
                    kind.name.text
                );
                let help =
                    "a component can have only one zone inside; remove one of the two `holds`";
                self.report
                    .error("holds-twice", holds.field.span, message, help);
                continue;
            }
            let (first, count) = (self.world.kind(id).first, self.world.kind(id).count);
            let first_zone = self.b.program.zones.len();
            if first_zone + count as usize > ZONES_MAX {
                self.limit(&kind.name, "zones", ZONES_MAX);
                return;
            }
            let decl = FamilyDecl {
                name: holds.field.text.clone(),
                holds: of,
                holder: Some(id),
                first: first_zone as ZoneId,
                count: count as u16,
                ..FamilyDecl::default()
            };
            let title = self.translations.name(&holds.field.text);
            let family = self.add_family(decl, title);
            for component in first..first + count {
                self.inner_zone(component, family, &holds.field.text);
            }
            let inner = Some((holds.field.text.clone(), family));
            for kind in self.world.with_kinds_of(id) {
                if let Some(decl) = self.world.kinds.get_mut(usize::from(kind)) {
                    decl.inner = inner.clone();
                }
            }
        }
    }

    fn inner_zone(&mut self, component: u32, family: FamilyId, field: &str) {
        let zone = self.b.program.zones.len() as ZoneId;
        let Some(info) = self.b.program.components.get_mut(component as usize) else {
            return;
        };
        info.holds = Some(zone);
        let naming = info.naming.inside(field);
        self.b.program.zones.push(ZoneInfo {
            family,
            naming,
            inside: Some(component as ComponentId),
            owner: None,
            see: See::All,
            capacity: None,
        });
    }
}
