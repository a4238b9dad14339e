//! Random numbers for scenarios: forced results in order, and the seed for the rest.

mod whole;

use std::collections::VecDeque;

use super::{AUTHOR, ForcedResult, Located};
use wyrmgate_base::diagnostic::{Diagnostic, Span, did_you_mean, meant_or};
use wyrmgate_engine::{Chance, Choice, Draw, Rng};
use wyrmgate_program::{Program, SiteId, Type, ZoneId};
use wyrmgate_view::name_of_value;

/// Minimum length for suggestions, because any short text resembles any other.
const ADVICE_BYTES_MIN: usize = 3;

/// Forced results first, then those of the seed.
pub struct Forced<'a> {
    program: &'a Program,
    queue: VecDeque<Located<ForcedResult>>,
    /// Problems with forced values that the draw cannot produce.
    pub problems: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Forced<'a> {
    pub fn new(program: &'a Program) -> Forced<'a> {
        Forced {
            program,
            queue: VecDeque::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub fn push(&mut self, luck: &[Located<ForcedResult>]) {
        self.queue.extend(luck.iter().cloned());
    }

    /// Returns the results that were never drawn.
    pub fn left(&self) -> impl Iterator<Item = &Located<ForcedResult>> {
        self.queue.iter()
    }

    /// Returns the position of the next forced value among the possible ones. `None` leaves it to the seed.
    fn forced_value(&mut self, values: &[i32], of: Type, name: Option<&str>) -> Option<u32> {
        let Located { value, span } = self.queue.pop_front()?;
        let wanted = match value {
            ForcedResult::Free => return None,
            ForcedResult::Value(wanted) => wanted,
            ForcedResult::Named(values) => match values.as_slice() {
                [(key, values)] if Some(key.as_str()) == name && values.len() == 1 => {
                    values.concat()
                }
                _ => return self.refuse_form(span, "a single value is drawn here"),
            },
            ForcedResult::Top(_) => return self.refuse_form(span, "this is not a shuffle"),
        };
        let name = |value| name_of_value(self.program, AUTHOR, value, of).into_owned();
        let names: Vec<String> = values.iter().copied().map(name).collect();
        let found = names.iter().position(|name| *name == wanted);
        if found.is_none() {
            self.refuse_value(span, &wanted, &names);
        }
        found.map(|i| i as u32)
    }

    /// Returns the index of a whole choice, counted from 1 in the order of enumeration.
    fn forced_number(&mut self, n: u32) -> Option<u32> {
        let Located { value, span } = self.queue.pop_front()?;
        let number = match value {
            ForcedResult::Free => return None,
            ForcedResult::Value(text) => text.parse().ok().filter(|i| (1..=n).contains(i)),
            ForcedResult::Top(_) | ForcedResult::Named(_) => None,
        };
        if number.is_none() {
            let message = "this random choice is forced by its number";
            self.refuse(span, message, format!("write a number from 1 to {n}"));
        }
        number.map(|i| i - 1)
    }

    /// Returns the name that a choice of single values binds.
    fn only_name(&self, site: SiteId) -> Option<&'a str> {
        let option = self.program.site(site)?.options.first()?;
        option.binders.first().map(|binder| binder.name.as_str())
    }

    fn refuse_form(&mut self, span: Span, message: &str) -> Option<u32> {
        self.refuse(span, message, "write the drawn value");
        None
    }

    fn refuse_value(&mut self, span: Span, wanted: &str, names: &[String]) {
        let possible = format!("possible here: {}", names.join(", "));
        let near = did_you_mean(wanted, names.iter().map(String::as_str));
        let help = match near.filter(|_| wanted.len() >= ADVICE_BYTES_MIN) {
            Some(name) => format!("did you mean `{name}`? {possible}"),
            None => possible,
        };
        self.refuse(span, format!("`{wanted}` cannot be drawn here"), help);
    }

    fn refuse(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let diagnostic = Diagnostic::error("impossible-luck", span, message);
        self.problems.push(diagnostic.help(help));
    }

    /// Moves the named components to the top, topmost first. Refuses unknown names.
    fn put_on_top(&mut self, span: Span, top: &[String], order: &mut [i32]) {
        let mut end = order.len();
        for name in top {
            let id = self.program.component_called(name);
            let place = id.and_then(|id| {
                let mut below = order.get(..end)?.iter();
                below.position(|component| *component == i32::from(id))
            });
            match (place, end.checked_sub(1)) {
                (Some(place), Some(last)) => {
                    // Everything between moves down by one, so that the order below stays that of the seed.
                    if let Some(range) = order.get_mut(place..=last) {
                        range.rotate_left(1);
                    }
                    end = last;
                }
                _ => {
                    let left = order.get(..end).unwrap_or_default().iter();
                    let left =
                        left.filter_map(|id| self.program.component_names().nth(*id as usize));
                    let of_one = name.strip_suffix("-1").unwrap_or(name);
                    let near = did_you_mean(of_one, left);
                    let help = meant_or(near, "name components of the zone, each once");
                    self.refuse(span, format!("`{name}` is not in the shuffled zone"), help);
                }
            }
        }
    }
}

impl Chance for Forced<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let forced = match what {
            Draw::Die { faces, of, .. } => self.forced_value(faces, of, None),
            Draw::Value { values, of, site } => self.forced_value(values, of, self.only_name(site)),
            Draw::Choice { .. } => self.forced_number(n),
            Draw::Shuffle { .. } => None,
        };
        forced.unwrap_or_else(|| rng.below(n))
    }

    /// Returns whether the next result can be compared with whole choices.
    fn forces_choice(&self) -> bool {
        let next = self.queue.front().map(|next| &next.value);
        matches!(next, Some(ForcedResult::Value(_) | ForcedResult::Named(_)))
    }

    fn forced(&mut self, site: SiteId, choices: &[Choice]) -> Option<usize> {
        self.whole_choice(site, choices)
    }

    fn shuffle(&mut self, rng: &mut Rng, _zone: ZoneId, order: &mut [i32]) {
        for i in (1..order.len()).rev() {
            let j = rng.below(i as u32 + 1) as usize;
            order.swap(i, j);
        }
        let Some(Located { value, span }) = self.queue.pop_front() else {
            return;
        };
        match value {
            ForcedResult::Free => {}
            ForcedResult::Top(top) => self.put_on_top(span, &top, order),
            ForcedResult::Value(_) | ForcedResult::Named(_) => self.refuse(
                span,
                "this is a shuffle",
                "write `{top: [ids from the top]}`, or `null` for any order",
            ),
        }
    }
}
