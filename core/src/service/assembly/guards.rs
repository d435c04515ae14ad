//! What the description says of guards.

use std::fmt;
use std::sync::Arc;

use super::{Draft, Findings};
use crate::guard::Guard;

/// Warns of guards that do not say what a caller must bring: the description then marks what they
/// guard, and no caller learns from it how to get in.
pub(super) fn note_silent(drafts: &[Draft], guards: &[Arc<dyn Guard>], findings: &mut Findings) {
    for guard in guards.iter().filter(|guard| guard.scheme().is_none()) {
        let names: Vec<&str> = drafts
            .iter()
            .filter(|draft| draft.guards.iter().any(|it| Arc::ptr_eq(it, guard)))
            .map(|draft| &*draft.registered.name)
            .collect();
        if !names.is_empty() {
            findings.warnings.push(format!(
                "a guard covers {} and names no scheme, so the description does not say what a \
                 caller must bring; `Guard::scheme` does",
                Named(&names)
            ));
        }
    }
}

/// The first few names, and how many there are beside them.
struct Named<'a>(&'a [&'a str]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const FEW: usize = 3;
        for (place, name) in self.0.iter().take(FEW).enumerate() {
            let comma = if place > 0 { ", " } else { "" };
            write!(f, "{comma}{name:?}")?;
        }
        match self.0.len().saturating_sub(FEW) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
