use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use super::Warning;
use crate::json::Pointer;

/// What was noticed while a document was read.
#[derive(Default)]
pub(super) struct Notes(RefCell<Vec<Warning>>);

impl Notes {
    /// The notes, each once: what is referred to in several places is read that often.
    pub(super) fn into_warnings(self) -> Vec<Warning> {
        let mut known = HashSet::new();
        let mut warnings = self.0.into_inner();
        warnings.retain(|warning| known.insert(warning.clone()));
        warnings
    }
}

/// Where in the document the reader is.
///
/// A chain on the stack instead of a [`Pointer`]: almost every place that is visited is never
/// spoken of, so its text is only made for a warning.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    notes: &'p Notes,
    parent: Option<&'p Place<'p>>,
    token: Token<'p>,
}

#[derive(Clone, Copy)]
enum Token<'p> {
    /// A place that was jumped to, as a JSON Pointer.
    Start(&'p str),
    Name(&'p str),
    Index(usize),
}

impl<'p> Place<'p> {
    /// The place that a JSON Pointer leads to.
    pub(super) fn start(notes: &'p Notes, pointer: &'p str) -> Self {
        Self {
            notes,
            parent: None,
            token: Token::Start(pointer),
        }
    }

    /// Another place of the same document.
    pub(super) fn jump(&self, pointer: &'p str) -> Place<'p> {
        Place::start(self.notes, pointer)
    }

    /// A member of what is here.
    pub(super) fn name(&'p self, name: &'p str) -> Place<'p> {
        self.inside(Token::Name(name))
    }

    /// An element of what is here.
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

    /// Notes what a reader of the document should know about this place.
    pub(super) fn warn(&self, message: impl fmt::Display) {
        self.notes.0.borrow_mut().push(Warning {
            pointer: self.pointer(),
            message: message.to_string(),
        });
    }

    /// The place as a JSON Pointer.
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
