//! Compares the keywords of schemas that do not constrain values.

use super::super::params::or_none;
use super::super::phrase::phrase;
use super::found::{Found, What};
use super::{Pair, Walk};
use crate::json::{Json, Object};
use crate::schema::{Role, role};

impl<'j> Walk<'_, 'j> {
    /// Returns the differences between the annotations of two schemas.
    pub(super) fn words(&mut self, pair: &Pair<'j>) -> Vec<Found> {
        let (Json::Object(old), Json::Object(new)) = (pair.old, pair.new) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let is_deprecated = |words: &Object| words.get("deprecated") == Some(&Json::Bool(true));
        let deprecated = |what, key: &'static str| Found::new(what, pair, phrase(key));
        match (is_deprecated(old), is_deprecated(new)) {
            (false, true) => found.push(deprecated(What::Deprecated, "change.value.deprecated")),
            (true, false) => {
                found.push(deprecated(What::Undeprecated, "change.value.undeprecated"));
            }
            _ => {}
        }
        // The default of a whole parameter is compared with the parameter.
        if self.is_input && !pair.way.is_empty() && old.get("default") != new.get("default") {
            let default = |words: &Object| or_none(words.get("default"));
            let detail = phrase("change.value.default");
            let detail = detail.and(default(new)).and(default(old));
            found.push(Found::new(What::Default, pair, detail));
        }
        for keyword in differing(old, new) {
            match role(keyword) {
                None => {
                    let detail = phrase("change.value.keyword").with(keyword);
                    found.push(Found::new(What::Keyword, pair, detail));
                }
                Some(Role::Annotates | Role::Aside)
                    if keyword != "deprecated" && (keyword != "default" || !self.is_input) =>
                {
                    let is_told = found.iter().any(|one| one.what == What::Words);
                    if !is_told {
                        let detail = phrase("change.value.words");
                        found.push(Found::new(What::Words, pair, detail));
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// Returns the keywords whose values differ between two schemas.
fn differing<'w>(old: &'w Object, new: &'w Object) -> impl Iterator<Item = &'w str> {
    let changed = new
        .iter()
        .filter(|(keyword, said)| old.get(keyword) != Some(said));
    let gone = old.iter().filter(|(keyword, _)| !new.contains_key(keyword));
    changed.chain(gone).map(|(keyword, _)| keyword.as_str())
}
