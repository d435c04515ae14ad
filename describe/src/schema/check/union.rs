//! Checks a value against alternatives.

use crate::json::{Cursor, Quoted};

use super::extents::Extents;
use super::failure::{Cause, Failure, Outcome, Step};
use super::node::{Branch, By, Selector, Union};
use super::walk::Walker;
use crate::schema::Kinds;

/// The maximum number of failed alternatives that a message explains.
const EXPLAINED: usize = 4;

impl<'a> Walker<'a> {
    pub(super) fn union(&mut self, union: &'a Union, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let kind = Kinds::at(cursor);
        if let (Some(selector), Kinds::OBJECT) = (&union.selector, kind) {
            let branch = selected(selector, *cursor, &mut self.extents)?;
            return self.link(&union.branches[branch].link, cursor);
        }
        let fits = |branch: &&Branch| branch.kinds.meet(kind);
        let mut candidates = union.branches.iter().filter(fits);
        match (candidates.next(), candidates.next()) {
            (None, _) => Err(Failure::new(Cause::NoneFits(union, *cursor, Vec::new()))),
            (Some(only), None) => self.link(&only.link, cursor),
            _ => self.try_all(union, kind, cursor),
        }
    }

    /// Tries the alternatives for a kind of value one after the other.
    fn try_all(&mut self, union: &'a Union, kind: Kinds, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        self.revisits += 1;
        self.attempts += 1;
        let outcome = self.try_each(union, kind, cursor);
        self.revisits -= 1;
        self.attempts -= 1;
        outcome
    }

    fn try_each(&mut self, union: &'a Union, kind: Kinds, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let start = *cursor;
        let mut fitting: Option<(usize, Cursor<'a>)> = None;
        let mut failures = Vec::new();
        for (index, branch) in union.branches.iter().enumerate() {
            if !branch.kinds.meet(kind) {
                continue;
            }
            *cursor = start;
            match self.link(&branch.link, cursor) {
                Ok(()) if !union.exactly_one => return Ok(()),
                Ok(()) => match fitting {
                    Some((other, _)) => {
                        return Err(Failure::new(Cause::TwoFit(union, [other, index])));
                    }
                    None => fitting = Some((index, *cursor)),
                },
                // This is no verdict about the value, so no other alternative can make up for it.
                Err(failure) if failure.is_no_verdict() => return Err(failure),
                // Inside other attempts, the reasons are never read, and keeping them would build a
                // tree.
                Err(failure) if self.attempts == 1 && failures.len() < EXPLAINED => {
                    failures.push(failure);
                }
                Err(_) => {}
            }
        }
        match fitting {
            Some((_, end)) => {
                *cursor = end;
                Ok(())
            }
            None => Err(Failure::new(Cause::NoneFits(union, start, failures))),
        }
    }
}

/// Returns the index of the only branch that the object at the cursor can match.
fn selected<'a>(
    selector: &'a Selector,
    mut cursor: Cursor<'a>,
    extents: &mut Extents,
) -> Result<usize, Failure<'a>> {
    cursor.step();
    match &selector.by {
        By::Tag(tag) => {
            while let Some(quoted) = cursor.next_member() {
                if quoted.unescape() != tag.as_ref() {
                    extents.skip(&mut cursor);
                    continue;
                }
                let branch = (cursor.peek() == b'"')
                    .then(|| selector.branch(&{ cursor }.string().unescape()))
                    .flatten();
                return branch.ok_or_else(|| {
                    Failure::new(Cause::Tag(selector, cursor))
                        .within(Step::Member(quoted.as_written()))
                });
            }
            Err(Failure::new(Cause::Missing(tag)))
        }
        By::Member => {
            let quoted = cursor.next_member();
            let branch = quoted.and_then(|quoted| selector.branch(&quoted.unescape()));
            branch.ok_or_else(|| {
                Failure::new(Cause::Member(selector, quoted.map(Quoted::as_written)))
            })
        }
    }
}
