//! Names of components, and of the zones in them.
//!
//! The contents of the box are public: [`Program::component_names`] lists them. Which of these components lies where in
//! a game is not, and code that has the number of a component must not obtain its name. Therefore only `view/name.rs`,
//! which requires a reader, can read the name of a number: the fields are private, and `clippy.toml` rejects
//! [`ProgramName::unasked`] everywhere else.

use super::{ComponentId, KindInfo, Language, Localized, Program, ZoneId, ZoneInfo};

/// A name for programs, and its words for people.
#[derive(Debug, Clone, Default)]
pub struct ProgramName {
    /// `dragon-red-3`, `hand-2`; for a zone in a component, `stack-3.cards`.
    name: String,
    /// Keys in words: `red 3`.
    keys: Localized,
}

impl ProgramName {
    pub fn new(name: impl Into<String>, keys: Localized) -> ProgramName {
        ProgramName {
            name: name.into(),
            keys,
        }
    }

    /// Returns the name and the keys in words, without checking a reader. For `view/name.rs`.
    pub fn unasked(&self) -> (&str, &Localized) {
        (&self.name, &self.keys)
    }

    /// Writes a word in place of another one, where that comes last among the keys.
    pub fn write_short(&mut self, word: &str, short: &str) {
        self.keys = self.keys.map(|keys| {
            let mut words: Vec<&str> = keys.split(' ').collect();
            if let Some(found) = words.iter_mut().rfind(|found| **found == word) {
                *found = short;
            }
            words.join(" ")
        });
    }

    /// Returns whether both have the same keys: then two components of a kind are copies.
    pub fn has_keys_of(&self, other: &ProgramName) -> bool {
        self.keys == other.keys
    }

    /// Returns the name of a zone in this component.
    pub fn inside(&self, zone: &str) -> ProgramName {
        ProgramName::new(format!("{}.{zone}", self.name), Localized::default())
    }
}

impl KindInfo {
    /// Returns the words for a component of this kind: its title, or else its name, with the keys.
    pub fn titled(&self, keys: &str, language: Language) -> String {
        let of_kind = match self.title.get(language) {
            "" => &self.name,
            title => title,
        };
        format!("{of_kind} {keys}").trim_end().to_owned()
    }
}

impl Program {
    /// Returns the names of everything in the box, in the order of the rules.
    pub fn component_names(&self) -> impl ExactSizeIterator<Item = &str> {
        let components = self.components.iter();
        components.map(|info| info.naming.name.as_str())
    }

    /// Returns the words for a component in the box: its kind and its keys.
    pub fn title_in_box(&self, component: ComponentId, language: Language) -> Option<String> {
        let info = self.components.get(usize::from(component))?;
        let kind = self.kind(info.kind)?;
        Some(kind.titled(info.naming.keys.get(language), language))
    }

    pub fn component_called(&self, name: &str) -> Option<ComponentId> {
        let at = self.component_names().position(|other| other == name)?;
        ComponentId::try_from(at).ok()
    }

    /// Returns the names of all zones, in the order of the rules; those in components come last.
    pub fn zone_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.zones.iter().map(|info| info.naming.name.as_str())
    }

    /// Returns the zone with this name, if it is not inside a component.
    pub fn open_zone_called(&self, name: &str) -> Option<ZoneId> {
        let mut zones = self.zones.iter();
        let is_called = |info: &ZoneInfo| info.inside.is_none() && info.naming.name == name;
        ZoneId::try_from(zones.position(is_called)?).ok()
    }

    /// Returns the name and the keys in words of a zone that is not inside a component, which is public.
    pub fn open_zone(&self, zone: ZoneId) -> Option<(&str, &Localized)> {
        let info = self.zones.get(usize::from(zone))?;
        let naming = info.inside.is_none().then_some(&info.naming)?;
        Some((&naming.name, &naming.keys))
    }
}
