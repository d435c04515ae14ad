//! Checks a value against compiled schemas, in one pass over its text.
//!
//! The schemas are the service's own, but anyone may send the text. Hostile text stays cheap:
//!
//! - Alternatives are chosen by the value's kind and by tags if possible, and are tried only if
//!   they really overlap.
//! - If the same text is checked more than once (overlapping alternatives, `allOf`), the outcome
//!   for a component at an offset is cached. Every recursion goes through a component, so nested
//!   alternatives do not multiply the work: each component is checked once at each offset.
//!
//! A check ends with the first failure, without a reason. To explain why a value is rejected, it is
//! checked once more by a walker that reports.

use crate::brief::bounded;
use crate::json::{Cursor, Pointer, unescape_lossy};
use crate::schema::kinds::Kinds;
use crate::schema::limits::MAX_CHECK_DEPTH;

use super::reasons::{self, Violation};
use super::rules::{CompiledComponents, CompiledSchema, CompiledUnion, FastMap, InPlace, Link};

/// The maximum length of a name in a pointer. The pointer ends before a longer one.
const MAX_NAME: usize = 256;

/// The maximum length of a pointer, in bytes.
const MAX_POINTER: usize = 1024;

/// The length of text that takes a step when it is read again, in bytes.
const BYTES_OF_STEP: usize = 16;

/// The outcome of checking a value.
pub(super) type CheckOutcome = Result<(), Misfit>;

/// The ways in which a value does not match. The worse one is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Misfit {
    /// It cannot be decided whether the value matches.
    Unknown,
    /// The value does not match.
    Fails,
}

/// A step into a value.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// An element.
    Element(usize),
    /// A member, by its name as it is written.
    Member(&'a str),
}

/// The violations that have been found, and the path to the current value.
#[derive(Clone, Default)]
pub(super) struct ViolationReport<'a> {
    /// The steps from the outermost value to the current one.
    path: Vec<Step<'a>>,
    /// The violations so far, in the order of the text.
    violations: Vec<Violation>,
    /// The maximum number of violations.
    most: usize,
    /// Set if this is about an alternative, whose own alternatives are not explained.
    pub(super) is_nested: bool,
}

/// A value that is checked against a component.
#[derive(PartialEq, Eq, Hash)]
struct ComponentVisit {
    /// The index of the component.
    component: usize,
    /// The offset of the value in the text.
    offset: usize,
    /// True if violations are reported. An outcome that was found without a report lacks them.
    is_reported: bool,
    is_decoded: bool,
}

/// A value whose alternatives are being tried, each of which extends the schema that lists them.
#[derive(PartialEq, Eq)]
pub(super) struct BaseVisit {
    /// The alternatives.
    pub(super) union: *const CompiledUnion,
    /// The offset of the value in the text.
    pub(super) offset: usize,
}

/// The outcome of checking a value against a component.
#[derive(Clone, Copy)]
struct VisitOutcome {
    outcome: CheckOutcome,
    /// The offset of the end of the value.
    end: usize,
}

/// A single check of a value.
///
/// After a failure, the cursor is past the value, unless nothing is reported: then the check ends.
pub(super) struct Walker<'a> {
    /// The components that links lead to.
    pub(super) components: &'a CompiledComponents,
    /// The number of schemas around the current one.
    depth: u32,
    /// The number of schemas that may still be checked.
    pub(super) steps_left: usize,
    /// The number of enclosing schemas that check the current text more than once.
    revisits: u32,
    /// The outcomes for values that are checked again.
    cached: FastMap<ComponentVisit, VisitOutcome>,
    /// The values whose alternatives are being tried, where these extend the schema that lists them.
    pub(super) bases: Vec<BaseVisit>,
    /// The report, if violations are wanted and not only a decision.
    pub(super) report: Option<ViolationReport<'a>>,
    /// Set if the value is also decoded, so that only what decoding does not enforce is checked.
    pub(super) is_decoded: bool,
}

impl<'a> Walker<'a> {
    /// Creates a walker that only decides whether a value matches.
    #[inline]
    pub(super) fn new(components: &'a CompiledComponents) -> Self {
        Self {
            components,
            depth: 0,
            steps_left: usize::MAX,
            revisits: 0,
            cached: FastMap::default(),
            bases: Vec::new(),
            report: None,
            is_decoded: false,
        }
    }

    /// Creates a walker that checks only what decoding does not enforce.
    #[inline]
    pub(super) fn beyond_decoding(components: &'a CompiledComponents) -> Self {
        let mut walker = Self::new(components);
        walker.is_decoded = true;
        walker
    }

    /// Creates a walker that collects at most `most` violations.
    pub(super) fn reporting(components: &'a CompiledComponents, most: usize) -> Self {
        let mut walker = Self::new(components);
        walker.report = Some(ViolationReport {
            most,
            ..ViolationReport::default()
        });
        walker
    }

    /// Creates a walker that finds the first violation of an alternative at the current value.
    pub(super) fn explaining(&self, report: &ViolationReport<'a>) -> Self {
        let report = ViolationReport {
            path: report.path.clone(),
            violations: Vec::new(),
            most: 1,
            is_nested: true,
        };
        Self {
            depth: self.depth,
            report: Some(report),
            ..Self::new(self.components)
        }
    }

    /// Returns the violations that have been found.
    pub(super) fn into_violations(self) -> Vec<Violation> {
        self.report.unwrap_or_default().violations
    }

    /// Reports that the current value does not match.
    #[cold]
    pub(super) fn fail(&mut self, reason: impl FnOnce() -> String) -> CheckOutcome {
        if let Some(report) = &mut self.report {
            report.add(report.pointer(), reason);
        }
        Err(Misfit::Fails)
    }

    /// Gives up on the current value, for a reason that a service gives when it refuses the value.
    pub(super) fn give_up(&mut self, reason: impl FnOnce() -> String) -> CheckOutcome {
        self.fail(reason).map_err(|_| Misfit::Unknown)
    }

    /// Adds the outcome for a part of a value to that for the value.
    ///
    /// # Errors
    /// Fails if the check ends here.
    #[inline]
    pub(super) fn add(&self, outcome: &mut CheckOutcome, part: CheckOutcome) -> CheckOutcome {
        if let Err(misfit) = part {
            if misfit == Misfit::Fails && self.report.is_none() {
                return part;
            }
            let worst = outcome.err().map_or(misfit, |earlier| earlier.max(misfit));
            *outcome = Err(worst);
        }
        Ok(())
    }

    /// Checks a part of the current value.
    #[inline]
    pub(super) fn within(
        &mut self,
        step: Step<'a>,
        check: impl FnOnce(&mut Self) -> CheckOutcome,
    ) -> CheckOutcome {
        if let Some(report) = &mut self.report {
            report.path.push(step);
        }
        let outcome = check(self);
        if let Some(report) = &mut self.report {
            report.path.pop();
        }
        outcome
    }

    /// Checks text that is also checked elsewhere.
    pub(super) fn revisit<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        self.revisits += 1;
        let outcome = check(self);
        self.revisits -= 1;
        outcome
    }

    /// Checks whether a value matches, without a report, and returns the end of the value if it
    /// does.
    pub(super) fn fits(&mut self, link: &'a Link, mut value: Cursor<'a>) -> Result<usize, Misfit> {
        let report = self.report.take();
        // Decoding may choose another alternative, so it enforces nothing of this one.
        let is_decoded = std::mem::take(&mut self.is_decoded);
        let outcome = self.revisit(|walker| walker.check(link, &mut value));
        self.is_decoded = is_decoded;
        self.report = report;
        outcome.map(|()| value.offset())
    }

    /// Checks the value at the cursor, and moves past it if it matches.
    #[inline]
    pub(super) fn check(&mut self, link: &'a Link, cursor: &mut Cursor<'a>) -> CheckOutcome {
        match link {
            Link::Schema(schema) if !self.is_decoded || schema.is_beyond_decoding => {
                self.schema(schema, cursor)
            }
            Link::Component(component) => self.component(*component, cursor),
            other => {
                cursor.value();
                match other {
                    Link::Never => self.fail(|| "no value is allowed here".to_owned()),
                    Link::Unknown => Err(Misfit::Unknown),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Checks a value against a component, once for each value that is checked again.
    fn component(&mut self, component: usize, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let link = self.components.link(component);
        if self.revisits == 0 {
            return self.check(link, cursor);
        }
        let visit = ComponentVisit {
            component,
            offset: cursor.offset(),
            is_reported: self.report.is_some(),
            is_decoded: self.is_decoded,
        };
        if let Some(cached) = self.cached.get(&visit) {
            cursor.move_to(cached.end);
            return cached.outcome;
        }
        let outcome = self.check(link, cursor);
        let end = cursor.offset();
        self.cached.insert(visit, VisitOutcome { outcome, end });
        outcome
    }

    /// Checks a value against a schema, one level deeper.
    fn schema(&mut self, schema: &'a CompiledSchema, cursor: &mut Cursor<'a>) -> CheckOutcome {
        if self.depth == MAX_CHECK_DEPTH || self.steps_left == 0 {
            cursor.value();
            return self.give_up(|| format!("nested more than {MAX_CHECK_DEPTH} levels deep"));
        }
        self.depth += 1;
        self.steps_left -= 1;
        let outcome = match &*schema.in_place {
            [] => self.own_rules(schema, cursor),
            [InPlace::All(link)] if !schema.has_own_rules() => self.check(link, cursor),
            [InPlace::Union(union)] if !schema.has_own_rules() => self.union(union, cursor),
            _ => self.revisit(|walker| walker.all_rules(schema, cursor)),
        };
        self.depth -= 1;
        outcome
    }

    /// Checks a value to which other schemas apply as well.
    fn all_rules(&mut self, schema: &'a CompiledSchema, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let start = *cursor;
        let mut outcome = Ok(());
        let part = self.own_rules(schema, cursor);
        self.add(&mut outcome, part)?;
        let end = cursor.offset();
        for in_place in &schema.in_place {
            // One violation of a value is enough for a reader.
            if outcome == Err(Misfit::Fails) {
                break;
            }
            // Each of these schemas reads the whole value again.
            let steps = (end - start.offset()) / BYTES_OF_STEP;
            self.steps_left = self.steps_left.saturating_sub(steps);
            if self.steps_left == 0 {
                outcome = self.give_up(|| "the check takes too long".to_owned());
                break;
            }
            *cursor = start;
            let part = self.in_place(in_place, cursor);
            self.add(&mut outcome, part)?;
        }
        cursor.move_to(end);
        outcome
    }

    /// Checks a value against schemas that apply to it as well.
    fn in_place(&mut self, in_place: &'a InPlace, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let start = *cursor;
        match in_place {
            InPlace::All(link) => self.check(link, cursor),
            InPlace::Union(union) => self.union(union, cursor),
            InPlace::Not(link) => match self.fits(link, start) {
                Ok(_) => self.fail(|| match link {
                    Link::Schema(schema) if let Some(choices) = &schema.choices => {
                        let wanted = format!("a value other than {}", choices.phrase);
                        reasons::expected(&wanted, start)
                    }
                    _ => "the value is one that is excluded".to_owned(),
                }),
                Err(Misfit::Fails) => Ok(()),
                Err(Misfit::Unknown) => Err(Misfit::Unknown),
            },
            InPlace::If(links) => {
                let [condition, then, otherwise] = &**links;
                match self.fits(condition, start) {
                    Ok(_) => self.check(then, cursor),
                    Err(Misfit::Fails) => self.check(otherwise, cursor),
                    Err(Misfit::Unknown) => Err(Misfit::Unknown),
                }
            }
            InPlace::With(name, link) if has_member(start, name) => self.check(link, cursor),
            InPlace::With(..) => Ok(()),
            InPlace::Unevaluated(evaluated, link) => self.unevaluated(evaluated, link, cursor),
        }
    }

    /// Checks a value against the schema's own constraints.
    #[inline]
    fn own_rules(&mut self, schema: &'a CompiledSchema, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let start = *cursor;
        if let Some(choices) = &schema.choices
            && !choices.has(start)
        {
            cursor.value();
            return self.fail(|| reasons::expected(&choices.phrase, start));
        }
        // Most numbers are short integers, for which no text is needed.
        let mut after = start;
        if let Some(integer) = after.plain_u64()
            && schema.kinds.meet(Kinds::INTEGER)
            && schema
                .number
                .as_ref()
                .is_none_or(|rule| rule.admits_integer(integer))
        {
            *cursor = after;
            return Ok(());
        }
        if !schema.kinds.has(&start) {
            cursor.value();
            return self.fail(|| {
                let wanted = reasons::values(schema.kinds, schema.number.as_deref());
                reasons::expected(&wanted, start)
            });
        }
        match start.peek() {
            b'"' => self.string(schema, cursor),
            b'[' if let Some(rule) = &schema.array => self.array(rule, cursor),
            b'{' if let Some(rule) = &schema.object => self.object(rule, cursor),
            b'-' | b'0'..=b'9' if let Some(rule) = &schema.number => {
                if rule.admits(cursor.value()) {
                    return Ok(());
                }
                self.fail(|| {
                    reasons::expected(&reasons::number(schema.kinds & Kinds::NUMBER, rule), start)
                })
            }
            _ => {
                cursor.value();
                Ok(())
            }
        }
    }
}

/// Returns whether the value at a cursor is an object with a member of this name.
fn has_member(mut cursor: Cursor<'_>, name: &str) -> bool {
    if cursor.peek() != b'{' {
        return false;
    }
    cursor.step();
    while let Some(quoted) = cursor.next_member() {
        if quoted.unescape() == name {
            return true;
        }
        cursor.value();
    }
    false
}

impl ViolationReport<'_> {
    /// Adds a violation, unless there are enough.
    pub(super) fn add(&mut self, pointer: Pointer, reason: impl FnOnce() -> String) {
        if self.violations.len() < self.most {
            self.violations.push(Violation {
                pointer,
                reason: bounded(reason()),
            });
        }
    }

    /// Returns the pointer to the current value.
    pub(super) fn pointer(&self) -> Pointer {
        let mut pointer = Pointer::root();
        for step in &self.path {
            match step {
                Step::Element(index) => pointer.push(index),
                // A pointer that is cut in the middle of a name would be wrong. One that ends at
                // the container is true.
                Step::Member(name) if name.len() > MAX_NAME => break,
                Step::Member(name) if pointer.as_str().len() + name.len() > MAX_POINTER => break,
                Step::Member(name) => pointer.push(unescape_lossy(name)),
            }
        }
        pointer
    }
}
