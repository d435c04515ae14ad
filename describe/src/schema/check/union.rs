//! Checks a value against alternatives.
//!
//! Most values need only one of them to be tried, which their kind or a tag selects. If several
//! have to be tried and none fits, a message explains the first few.

use crate::brief::{MAX_QUOTED_CHARS, abbreviate};
use crate::json::{Cursor, shorten};
use crate::schema::kinds::Kinds;

use super::reasons::{self, Violation};
use super::rules::{CompiledUnion, Selector};
use super::walk::{BaseVisit, CheckOutcome, Misfit, Step, Walker};

/// The maximum number of failed alternatives that a message explains.
const MAX_EXPLAINED: usize = 4;

impl<'a> Walker<'a> {
    /// Checks a value against the alternatives of a keyword.
    pub(super) fn union(
        &mut self,
        union: &'a CompiledUnion,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        if !union.is_of_base {
            return self.alternatives(union, cursor);
        }
        let visit = BaseVisit {
            union,
            offset: cursor.offset(),
        };
        if self.bases.contains(&visit) {
            cursor.value();
            return Ok(());
        }
        self.bases.push(visit);
        let outcome = self.alternatives(union, cursor);
        self.bases.pop();
        outcome
    }

    /// Checks a value against alternatives that are not chosen yet.
    fn alternatives(&mut self, union: &'a CompiledUnion, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let start = *cursor;
        let kind = Kinds::at(&start);
        if let (Some(selector), Kinds::OBJECT) = (&union.selector, kind) {
            let Some(branch) = self
                .select_branch(selector, start)
                .and_then(|index| union.branches.get(index))
            else {
                cursor.value();
                return Err(Misfit::Fails);
            };
            return self.check(&branch.link, cursor);
        }
        let mut candidates = union
            .branches
            .iter()
            .filter(|branch| branch.kinds.meet(kind));
        match (candidates.next(), candidates.next()) {
            (None, _) => {
                cursor.value();
                let components = self.components;
                self.fail(|| reasons::expected(&reasons::alternatives(union, components), start))
            }
            (Some(only), None) => self.check(&only.link, cursor),
            _ => self.try_each(union, kind, cursor),
        }
    }

    /// Tries the alternatives for a kind of value one after the other.
    fn try_each(
        &mut self,
        union: &'a CompiledUnion,
        kind: Kinds,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        let mut fitting = Vec::new();
        let mut is_unknown = false;
        for (index, branch) in union.branches.iter().enumerate() {
            if !branch.kinds.meet(kind) {
                continue;
            }
            match self.fits(&branch.link, *cursor) {
                Ok(end) if !union.exactly_one => {
                    cursor.move_to(end);
                    return Ok(());
                }
                Ok(end) => fitting.push((index, end)),
                Err(Misfit::Unknown) => is_unknown = true,
                Err(Misfit::Fails) => {}
            }
        }
        match *fitting {
            [] if !is_unknown => return self.report_no_match(union, kind, cursor),
            [(first, _), (second, _), ..] => {
                cursor.value();
                let numbers = format!("{} and {}", first + 1, second + 1);
                return self.fail(|| {
                    format!(
                        "must match exactly one alternative, but matches two: numbers {numbers}"
                    )
                });
            }
            [(_, end)] if !is_unknown => {
                cursor.move_to(end);
                return Ok(());
            }
            _ => {}
        }
        cursor.value();
        Err(Misfit::Unknown)
    }

    /// Reports why no alternative matches: one reason for each, at the pointer that they share.
    fn report_no_match(
        &mut self,
        union: &'a CompiledUnion,
        kind: Kinds,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        let start = *cursor;
        cursor.value();
        let Some(report) = &self.report else {
            return Err(Misfit::Fails);
        };
        if report.is_nested {
            return self.fail(|| "the value matches no alternative".to_owned());
        }
        let here = report.pointer();
        let mut violations: Vec<Violation> = Vec::new();
        for branch in union
            .branches
            .iter()
            .filter(|branch| branch.kinds.meet(kind))
            .take(MAX_EXPLAINED)
        {
            let mut walker = self.explaining(report);
            let mut value = start;
            // It fails, and the walker has the reason.
            let _ = walker.check(&branch.link, &mut value);
            violations.append(&mut walker.into_violations());
        }
        let is_shared = violations
            .windows(2)
            .all(|two| two[0].pointer == two[1].pointer);
        let (pointer, prefix) = match violations.first() {
            Some(first) if is_shared => (first.pointer.clone(), ""),
            _ => {
                for violation in &mut violations {
                    let path = violation.pointer.as_str();
                    let inside = &path[here.as_str().len().min(path.len())..];
                    if !inside.is_empty() {
                        let inside = shorten(inside, MAX_QUOTED_CHARS);
                        violation.reason = format!("at {inside}: {}", violation.reason);
                    }
                }
                (here, "no alternative matches: ")
            }
        };
        let is_long = !prefix.is_empty() || violations.len() > 1;
        let mut reasons = Vec::new();
        for Violation { reason, .. } in violations {
            reasons.push(if is_long {
                abbreviate(&reason).into_owned()
            } else {
                reason
            });
        }
        reasons.dedup();
        if let Some(report) = &mut self.report {
            report.add(pointer, || format!("{prefix}{}", reasons.join("; or ")));
        }
        Err(Misfit::Fails)
    }

    /// Returns the index of the only branch that an object can match, or reports that there is
    /// none.
    fn select_branch(&mut self, selector: &'a Selector, mut cursor: Cursor<'a>) -> Option<usize> {
        cursor.step();
        let Some(tag) = &selector.tag else {
            let name = cursor.next_member();
            let branch = name.and_then(|name| selector.branch(&name.unescape()));
            if branch.is_none() {
                let found = match name {
                    Some(name) => shorten(name.as_written(), MAX_QUOTED_CHARS),
                    None => "none".into(),
                };
                let _ = self.fail(|| {
                    let wanted = &selector.phrase;
                    format!("expected an object whose only member is {wanted}, found {found}")
                });
            }
            return branch;
        };
        while let Some(name) = cursor.next_member() {
            if name.unescape() != **tag {
                cursor.value();
                continue;
            }
            let mut value = cursor;
            let branch = match value.peek() {
                b'"' => selector.branch(&value.string().unescape()),
                _ => None,
            };
            if branch.is_none() {
                let _ = self.within(Step::Member(name.as_written()), |walker| {
                    walker.fail(|| reasons::expected(&selector.phrase, cursor))
                });
            }
            return branch;
        }
        let _ = self.fail(|| format!("the member \"{}\" is missing", abbreviate(tag)));
        None
    }
}
