use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use super::Warning;
use docent_describe::json::Pointer;

/// The warnings collected while a document is read.
#[derive(Default)]
pub(super) struct Notes(RefCell<Vec<Warning>>);

impl Notes {
    /// Returns the warnings without duplicates. There may be some because a value is read once for
    /// each reference to it.
    pub(super) fn into_warnings(self) -> Vec<Warning> {
        let mut known = HashSet::new();
        let mut warnings = self.0.into_inner();
        warnings.retain(|warning| known.insert(warning.clone()));
        warnings
    }
}

/// The reader's location in the document, with the warnings that it collects.
#[derive(Clone)]
pub(super) struct Location<'n> {
    notes: &'n Notes,
    pub(super) pointer: Pointer,
}

impl<'n> Location<'n> {
    /// Returns the location that the text of a JSON Pointer points to.
    pub(super) fn start(notes: &'n Notes, pointer: &str) -> Self {
        let tokens = pointer.split('/').skip(1);
        Self {
            notes,
            pointer: tokens.fold(Pointer::root(), |pointer, token| {
                pointer.join(token.replace("~1", "/").replace("~0", "~"))
            }),
        }
    }

    /// Returns another location in the same document.
    pub(super) fn jump(&self, pointer: &str) -> Self {
        Self::start(self.notes, pointer)
    }

    /// Returns the location of a member or an element of this value.
    pub(super) fn inside(&self, token: impl fmt::Display) -> Self {
        Self {
            notes: self.notes,
            pointer: self.pointer.join(token),
        }
    }

    /// Records a warning about this location that ends in "; left out".
    pub(super) fn leave_out<T>(&self, reason: impl fmt::Display) -> Option<T> {
        self.warn(format_args!("{reason}; left out"));
        None
    }

    /// Records a warning about this location.
    pub(super) fn warn(&self, message: impl fmt::Display) {
        self.notes.0.borrow_mut().push(Warning {
            pointer: self.pointer.clone(),
            message: message.to_string(),
        });
    }
}
