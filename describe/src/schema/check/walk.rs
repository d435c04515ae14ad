//! Checks a value against compiled schemas, in one pass over its text.
//!
//! The schemas are the service's own, but anyone may send the text. Hostile text stays cheap:
//!
//! - Alternatives are chosen by the value's kind and by tags if possible, and are tried only if
//!   they really overlap.
//! - If the same text is checked more than once (overlapping alternatives, `allOf`), the verdict
//!   for a component at a place is cached. Every recursion goes through a component, so nested
//!   alternatives do not multiply the work: each component is checked once at each place.
//! - Text that is skipped, to find a tag or because another schema reads it, is skipped once,
//!   however deeply it is nested.
//! - A failure is only data until it is sure to be reported.

use crate::json::{Cursor, Quoted};

use super::digest::Digests;
use super::extents::Extents;
use super::failure::{Cause, Failure, Outcome, Step};
use super::key::MAX_DEPTH;
use super::node::{InPlace, Link, Node, ObjectRule, Shared};
use super::scalar::{choice, scalar};
use crate::schema::Kinds;

use super::FastMap;

/// A single check of a value.
pub(super) struct Walker<'a> {
    shared: &'a Shared,
    /// The number of nodes around the current one.
    depth: u32,
    /// The number of enclosing nodes that check the current text more than once.
    pub(super) revisits: u32,
    /// The number of enclosing nodes that are trying alternatives.
    pub(super) attempts: u32,
    /// The verdicts for components at places that are checked again: the end of the value, or the
    /// reason why it does not match.
    verdicts: FastMap<(usize, usize), Result<usize, Failure<'a>>>,
    /// The containers that have been skipped in search of tags.
    pub(super) extents: Extents,
    /// The digests of the elements of lists that must be unique.
    digests: Option<Digests>,
    /// The number of further failures to collect; `None` if the first one is enough.
    wanted: Option<usize>,
}

impl<'a> Walker<'a> {
    #[inline]
    pub(super) fn new(shared: &'a Shared) -> Self {
        Self {
            shared,
            depth: 0,
            revisits: 0,
            attempts: 0,
            verdicts: FastMap::default(),
            extents: Extents::default(),
            digests: None,
            wanted: None,
        }
    }

    /// Continues after a failure, until there are `most`.
    pub(super) fn collect(&mut self, most: usize) {
        self.wanted = Some(most);
    }

    /// Notes a failure of the value at `start`, and moves past the value, so that further failures
    /// can be found.
    ///
    /// # Errors
    /// The failure with those before it, if no more are wanted. Also if the value is checked more
    /// than once, because later results then depend on the others.
    #[cold]
    fn note(
        &mut self,
        mut failure: Failure<'a>,
        found: &mut Option<Failure<'a>>,
        start: usize,
        cursor: &mut Cursor<'a>,
    ) -> Outcome<'a> {
        let Some(wanted) = &mut self.wanted else {
            return Err(failure);
        };
        if self.attempts > 0 || self.revisits > 0 {
            return Err(failure);
        }
        *wanted = wanted.saturating_sub(usize::from(failure.is_counted_first()));
        let is_enough = *wanted == 0;
        let failures = match found.take() {
            Some(before) => before.and(failure),
            None => failure,
        };
        if is_enough {
            return Err(failures);
        }
        *found = Some(failures);
        cursor.move_to(start);
        // The containers around a failure fail too, and each level would skip everything inside.
        self.extents.skip(cursor);
        Ok(())
    }

    /// Checks the value at the cursor, and moves past it if it matches.
    #[inline]
    pub(super) fn link(&mut self, link: &'a Link, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        match link {
            Link::Any => {
                self.pass_over(cursor);
                Ok(())
            }
            Link::Never => Err(Failure::new(Cause::Never)),
            Link::Node(node) => self.node(node, cursor),
            Link::Component(slot) => self.component(*slot, cursor),
        }
    }

    /// Skips a value that has no more constraints here, but may have some elsewhere.
    fn pass_over(&mut self, cursor: &mut Cursor<'a>) {
        if self.revisits == 0 {
            cursor.value();
        } else {
            self.extents.skip(cursor);
        }
    }

    fn component(&mut self, slot: usize, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let link = self.shared.component(slot);
        // Scalars are faster to check again than to look up.
        if self.revisits == 0 || !cursor.is_at_container() {
            return self.link(link, cursor);
        }
        let place = (slot, cursor.offset());
        if let Some(verdict) = self.verdicts.get(&place) {
            cursor.move_to(verdict.clone()?);
            return Ok(());
        }
        let outcome = self.link(link, cursor);
        let verdict = match &outcome {
            Ok(()) => Ok(cursor.offset()),
            Err(failure) => Err(failure.clone()),
        };
        self.verdicts.insert(place, verdict);
        outcome
    }

    fn node(&mut self, node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        if self.depth == MAX_DEPTH {
            return Err(Failure::new(Cause::TooDeep));
        }
        self.depth += 1;
        let outcome = if node.in_place.is_empty() {
            self.own_rules(node, cursor)
        } else {
            self.all_rules(node, cursor)
        };
        self.depth -= 1;
        outcome
    }

    /// Checks a value to which other schemas apply as well.
    fn all_rules(&mut self, node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let start = cursor.offset();
        let own = match cursor.peek() {
            b'{' => node.object.is_some(),
            b'[' => node.array.is_some(),
            _ => true,
        };
        let again = u32::from(usize::from(own) + node.in_place.len() > 1);
        self.revisits += again;
        let mut outcome = if own {
            self.own_rules(node, cursor)
        } else {
            check_shallow(node, cursor)
        };
        for in_place in &node.in_place {
            if outcome.is_err() {
                break;
            }
            cursor.move_to(start);
            outcome = match in_place {
                InPlace::All(link) => self.link(link, cursor),
                InPlace::Union(union) => self.union(union, cursor),
            };
        }
        self.revisits -= again;
        outcome
    }

    /// Checks a value against the schema's own constraints.
    fn own_rules(&mut self, node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        match cursor.peek() {
            b'[' => {
                check_shallow(node, cursor)?;
                self.array(node, cursor)
            }
            b'{' => {
                check_shallow(node, cursor)?;
                self.object(node, cursor)
            }
            _ => scalar(node, cursor),
        }
    }

    fn array(&mut self, node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let Some(rule) = &node.array else {
            self.pass_over(cursor);
            return Ok(());
        };
        let start = *cursor;
        let mut count = 0;
        let mut found = None;
        cursor.step();
        while cursor.next_element() {
            if count < rule.count.max {
                let link = rule.prefix.get(count).unwrap_or(&rule.items);
                let element = cursor.offset();
                if let Err(failure) = self.link(link, cursor) {
                    let failure = failure.within(Step::Element(count));
                    self.note(failure, &mut found, element, cursor)?;
                }
            } else {
                // The array has failed, so the rest is only counted.
                cursor.value();
            }
            count += 1;
        }
        if !rule.count.admits(count) {
            return with(found, Cause::Elements(rule.count, count));
        }
        if rule.unique
            && count > 1
            && let Err(cause) = super::unique::check(start, self.digests.get_or_insert_default())
        {
            return with(found, cause);
        }
        found.map_or(Ok(()), Err)
    }

    fn object(&mut self, node: &'a Node, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let Some(rule) = &node.object else {
            self.pass_over(cursor);
            return Ok(());
        };
        self.members(rule, cursor)
    }

    fn members(&mut self, rule: &'a ObjectRule, cursor: &mut Cursor<'a>) -> Outcome<'a> {
        let mut missing = rule.required.len();
        let mut seen = vec![false; rule.required.len()];
        let mut found = None;
        cursor.step();
        while let Some(quoted) = cursor.next_member() {
            if !rule.required.is_empty()
                && let Some(at) = rule.requirement(&quoted.unescape())
            {
                missing -= usize::from(!std::mem::replace(&mut seen[at], true));
            }
            let value = cursor.offset();
            if let Err(failure) = self.member(rule, quoted, cursor) {
                let failure = failure.within(Step::Member(quoted.as_written()));
                self.note(failure, &mut found, value, cursor)?;
            }
        }
        if missing == 0 {
            return found.map_or(Ok(()), Err);
        }
        let mut required = rule.required.iter().enumerate();
        match required.find(|(at, _)| !seen[*at]) {
            Some((_, name)) => with(found, Cause::Missing(name)),
            None => found.map_or(Ok(()), Err),
        }
    }

    fn member(
        &mut self,
        rule: &'a ObjectRule,
        quoted: Quoted<'a>,
        cursor: &mut Cursor<'a>,
    ) -> Outcome<'a> {
        if !rule.names.is_any() {
            self.link(&rule.names, &mut Cursor::new(quoted.as_written()))?;
        }
        let property = rule.property(quoted.as_written());
        if rule.patterns.is_empty() {
            return match property.unwrap_or(&rule.additional) {
                Link::Never if property.is_none() => {
                    Err(Failure::new(Cause::Unknown(rule, quoted.as_written())))
                }
                link => self.link(link, cursor),
            };
        }
        let several = usize::from(property.is_some()) + rule.patterns.len() > 1;
        self.revisits += u32::from(several);
        let outcome = self.patterned_member(rule, property, quoted, cursor);
        self.revisits -= u32::from(several);
        outcome
    }

    /// Checks a member of an object with `patternProperties`.
    fn patterned_member(
        &mut self,
        rule: &'a ObjectRule,
        property: Option<&'a Link>,
        quoted: Quoted<'a>,
        cursor: &mut Cursor<'a>,
    ) -> Outcome<'a> {
        let start = cursor.offset();
        if let Some(link) = property {
            self.link(link, cursor)?;
        }
        let mut known = property.is_some();
        let name = quoted.unescape();
        for (pattern, link) in &rule.patterns {
            let matches = pattern
                .is_match(&name)
                .map_err(|length| Failure::new(Cause::PatternText(pattern.longest, length)))?;
            if matches {
                known = true;
                cursor.move_to(start);
                self.link(link, cursor)?;
            }
        }
        if known {
            return Ok(());
        }
        match &rule.additional {
            Link::Never => Err(Failure::new(Cause::Unknown(rule, quoted.as_written()))),
            link => self.link(link, cursor),
        }
    }
}

/// Returns the failure of a container, together with those found inside.
#[cold]
fn with<'a>(found: Option<Failure<'a>>, cause: Cause<'a>) -> Outcome<'a> {
    let own = Failure::new(cause);
    Err(match found {
        Some(found) => found.and(own),
        None => own,
    })
}

/// Checks the constraints that need no walk through the value. The cursor does not move.
fn check_shallow<'a>(node: &'a Node, cursor: &Cursor<'a>) -> Outcome<'a> {
    choice(node, cursor)?;
    if node.kinds.meet(Kinds::at(cursor)) {
        Ok(())
    } else {
        Err(Failure::new(Cause::Kind(node, *cursor)))
    }
}
