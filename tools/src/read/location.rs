//! Warnings about a document, and the place in the document that they are about.
//!
//! A reader carries its [`Location`] along, so that whatever it finds wrong is reported where it is. Nothing that is
//! wrong stops it.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use indexmap::IndexSet;

use docent_describe::json::Pointer;

/// A part of a document that was not understood or is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Warning {
    /// Its location.
    pub pointer: Pointer,
    /// The problem, and what was done about it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_root() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.pointer, self.message)
        }
    }
}

/// The warnings collected while a document is read.
#[derive(Default)]
pub(super) struct Notes {
    /// A set, because a value is read once for each reference to it.
    warnings: RefCell<IndexSet<Warning>>,
    /// The names of the unknown members that have been reported.
    unknown: RefCell<HashSet<String>>,
}

impl Notes {
    /// Returns the warnings, in the order of the document.
    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.warnings.into_inner().into_iter().collect()
    }
}

/// The reader's location in the document, with the warnings that it collects.
#[derive(Clone)]
pub(super) struct Location<'n> {
    /// The warnings so far, which all locations of a document share.
    notes: &'n Notes,
    /// The pointer to the value that is being read.
    pub(super) pointer: Pointer,
}

impl<'n> Location<'n> {
    /// Returns the location at a pointer.
    pub(super) fn start(notes: &'n Notes, pointer: Pointer) -> Self {
        Self { notes, pointer }
    }

    /// Returns another location in the same document.
    pub(super) fn jump(&self, pointer: Pointer) -> Self {
        Self::start(self.notes, pointer)
    }

    /// Returns the location of a member or an element of this value.
    pub(super) fn inside(&self, token: impl fmt::Display) -> Self {
        self.jump(self.pointer.join(token))
    }

    /// Records a warning about this location that ends in "; left out".
    pub(super) fn leave_out<T>(&self, reason: impl fmt::Display) -> Option<T> {
        self.reject(format_args!("{reason}; left out"))
    }

    /// Records a warning about this location, of which nothing is read.
    pub(super) fn reject<T>(&self, message: impl fmt::Display) -> Option<T> {
        self.warn(message);
        None
    }

    /// Records a warning about this location.
    pub(super) fn warn(&self, message: impl fmt::Display) {
        self.notes.warnings.borrow_mut().insert(Warning {
            pointer: self.pointer.clone(),
            message: message.to_string(),
        });
    }

    /// Returns the extension in the model that keeps an unknown member of this value. Records a warning for the first
    /// member of each name.
    pub(super) fn extension_of_unknown(&self, name: &str) -> String {
        let extension = format!("$unknown-{name}");
        if self.notes.unknown.borrow_mut().insert(name.to_owned()) {
            self.inside(name)
                .warn(format_args!("unknown member, kept as `{extension}`"));
        }
        extension
    }
}
