use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use super::Warning;
use crate::json::Pointer;

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

/// The reader's position in the document.
///
/// It is a chain on the stack and not a [`Pointer`]: only a warning needs the text, and most
/// positions never appear in one.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    notes: &'p Notes,
    parent: Option<&'p Place<'p>>,
    token: Token<'p>,
}

#[derive(Clone, Copy)]
enum Token<'p> {
    /// A position given by a JSON Pointer.
    Start(&'p str),
    Name(&'p str),
    Index(usize),
}

impl<'p> Place<'p> {
    /// Returns the position that a JSON Pointer points to.
    pub(super) fn start(notes: &'p Notes, pointer: &'p str) -> Self {
        Self {
            notes,
            parent: None,
            token: Token::Start(pointer),
        }
    }

    /// Returns another position in the same document.
    pub(super) fn jump(&self, pointer: &'p str) -> Place<'p> {
        Place::start(self.notes, pointer)
    }

    /// Returns the position of a member of this value.
    pub(super) fn name(&'p self, name: &'p str) -> Place<'p> {
        self.inside(Token::Name(name))
    }

    /// Returns the position of an element of this value.
    pub(super) fn index(&'p self, index: usize) -> Place<'p> {
        self.inside(Token::Index(index))
    }

    fn inside(&'p self, token: Token<'p>) -> Place<'p> {
        Self {
            notes: self.notes,
            parent: Some(self),
            token,
        }
    }

    /// Records a warning about this position.
    pub(super) fn warn(&self, message: impl fmt::Display) {
        self.notes.0.borrow_mut().push(Warning {
            pointer: self.pointer(),
            message: message.to_string(),
        });
    }

    /// Returns the position as a JSON Pointer.
    pub(super) fn pointer(&self) -> Pointer {
        let mut tokens = Vec::new();
        let mut place = Some(self);
        while let Some(here) = place {
            tokens.push(here.token);
            place = here.parent;
        }
        let mut pointer = Pointer::root();
        for token in tokens.into_iter().rev() {
            match token {
                Token::Start(text) => {
                    for token in text.split('/').skip(1) {
                        pointer.push(token.replace("~1", "/").replace("~0", "~"));
                    }
                }
                Token::Name(name) => pointer.push(name),
                Token::Index(index) => pointer.push(index),
            }
        }
        pointer
    }
}
