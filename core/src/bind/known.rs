//! The names of parameters, for calls that use others.

use docent_describe::SimilarNames;
use docent_describe::brief::push_quote;

use super::de::choices;

/// The names of a procedure's parameters, with the reason that every unknown name gets.
pub(super) struct Known {
    reason: Box<str>,
    names: SimilarNames,
}

impl Known {
    pub(super) fn new(names: &[&str]) -> Self {
        let reason = match names {
            [] => "unknown parameter: the procedure takes none".into(),
            _ => format!("unknown parameter: expected {}", choices(names)).into(),
        };
        Self {
            reason,
            names: SimilarNames::new(names.iter().copied()),
        }
    }

    /// Returns the reason why a name is refused, with a similar name if there is one.
    pub(super) fn reason_for(&self, name: &str) -> String {
        match self.names.closest(name, 1).first() {
            Some(meant) => {
                let mut reason = String::with_capacity(self.reason.len() + meant.len() + 20);
                reason.push_str(&self.reason);
                reason.push_str("; did you mean ");
                push_quote(&mut reason, meant);
                reason.push('?');
                reason
            }
            None => self.reason.to_string(),
        }
    }
}
