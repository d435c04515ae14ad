//! Checks values while they are decoded.
//!
//! Whatever a type does with a container, all of it passes through the decoder once, or is skipped by it.
//! A container that the type asks for as a sequence or a map is checked member by member; one that it
//! decodes in another way has to be checked on its own.

use super::{Decoder, MAX_DEPTH};
use crate::check::{Expected, Parts, Verdict};

/// Values with more open containers around them are checked on their own: decoding and checking both
/// recurse, and need not share the stack.
const DEEPEST: u32 = 64;

impl<'de> Decoder<'de> {
    /// Begins to check the value at the cursor.
    pub(crate) fn begin_check(&mut self, expected: Expected<'de>) {
        self.parts = None;
        self.has_failed_check = false;
        self.check(Some(expected));
    }

    /// Ends what was begun with [`begin_check`](Self::begin_check). Returns whether the value is known
    /// to fit.
    #[inline]
    pub(crate) fn end_check(&mut self) -> bool {
        self.parts.take().is_none() && !self.has_failed_check
    }

    /// Checks the value that comes next, if there is anything to check.
    #[inline]
    pub(super) fn check(&mut self, expected: Option<Expected<'de>>) {
        if let Some(expected) = expected {
            self.look(expected);
        }
    }

    /// Looks at the value that comes next. If it is a container, this goes on while it is decoded.
    fn look(&mut self, expected: Expected<'de>) {
        // If parts are left, the type has decoded their container in another way.
        let is_too_deep = MAX_DEPTH - self.depth_left > DEEPEST;
        self.has_failed_check |= self.parts.is_some() || is_too_deep;
        if self.has_failed_check {
            return;
        }
        self.cursor.next_token();
        match expected.look(self.cursor) {
            Verdict::Fits => {}
            Verdict::Parts(parts) => self.parts = Some((self.cursor.offset(), parts)),
            Verdict::Unknown => self.has_failed_check = true,
        }
    }

    /// What the parts of the container at the cursor have to satisfy, if they are to be checked.
    #[inline]
    pub(super) fn take_parts(&mut self) -> Option<Parts<'de>> {
        let here = self.cursor.offset();
        let parts = self.parts.take_if(|(offset, _)| *offset == here)?;
        Some(parts.1)
    }
}
