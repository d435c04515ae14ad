//! Checks strings, arrays and objects against the rules for their kind.
//!
//! Strings are unescaped only if a rule needs their text, and arrays and objects are read once,
//! part by part.

use std::collections::HashMap;

use crate::brief::{MAX_QUOTED_CHARS, abbreviate};
use crate::json::{Cursor, Json, Quoted, shorten};
use crate::pattern::Pattern;
use crate::schema::kinds::Kinds;

use super::reasons;
use super::rules::{ArrayRule, CompiledSchema, Evaluated, Link, ObjectRule};
use super::string::{Count, FormatRule};
use super::walk::{CheckOutcome, Misfit, Step, Walker};
use crate::schema::limits::MAX_CHECK_DEPTH;

impl<'a> Walker<'a> {
    /// Checks a string.
    pub(super) fn string(
        &mut self,
        schema: &'a CompiledSchema,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        let quoted = cursor.string();
        let found = quoted.as_written();
        // Half of a surrogate pair is not valid text, if the schema is about text at all. It is one
        // code point, and so is its replacement character.
        if schema.kinds != Kinds::ALL && quoted.try_unescape().is_err() {
            return self.fail(|| "the string contains an unpaired surrogate".to_owned());
        }
        let Some(rule) = &schema.string else {
            return Ok(());
        };
        let text = quoted.unescape();
        if rule.length != Count::ANY {
            let length = text.chars().count();
            if !rule.length.admits(length) {
                return self.fail(|| reasons::count(rule.length, "length", length));
            }
        }
        // After the length, because a text that is too long is not matched.
        if let Some(pattern) = &rule.pattern
            && !self.matches(pattern, &text)?
        {
            return self.fail(|| {
                let pattern = abbreviate(pattern.as_str());
                let found = shorten(found, MAX_QUOTED_CHARS);
                format!("must match the pattern {pattern}, found {found}")
            });
        }
        for format in [rule.format, rule.encoding] {
            match format {
                FormatRule::Enforced(format) if !format.admits(&text) => {
                    return self.fail(|| {
                        let found = shorten(found, MAX_QUOTED_CHARS);
                        format!("expected {}, found {found}", format.phrase)
                    });
                }
                FormatRule::Uncertain(format)
                    if !format.is_some_and(|format| format.admits(&text)) =>
                {
                    return Err(Misfit::Unknown);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns whether a text matches a pattern.
    fn matches(&mut self, pattern: &Pattern, text: &str) -> Result<bool, Misfit> {
        match pattern.try_match(text) {
            Some(matches) => Ok(matches),
            None => self
                .give_up(|| "the text is too long to be matched against the pattern".to_owned())
                .map(|()| false),
        }
    }

    /// Checks an array and its elements.
    pub(super) fn array(&mut self, rule: &'a ArrayRule, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let start = *cursor;
        let mut outcome = Ok(());
        let mut count = 0;
        cursor.step();
        while cursor.next_element() {
            if count < rule.count.max {
                let link = rule.prefix.get(count).unwrap_or(&rule.items);
                let part = self.within(Step::Element(count), |walker| walker.check(link, cursor));
                self.add(&mut outcome, part)?;
            } else {
                // The array has failed, so the rest is only counted.
                cursor.value();
            }
            count += 1;
        }
        let part = if !rule.count.admits(count) {
            self.fail(|| reasons::count(rule.count, "items", count))
        } else if rule.unique && count > 1 {
            self.unique(start)
        } else {
            Ok(())
        };
        self.add(&mut outcome, part)?;
        if let Some((link, wanted)) = &rule.contains {
            let part = self.contains(link, *wanted, start);
            self.add(&mut outcome, part)?;
        }
        outcome
    }

    /// Checks that no two elements of an array are equal.
    fn unique(&mut self, mut array: Cursor<'a>) -> CheckOutcome {
        let mut seen: HashMap<Json, usize> = HashMap::new();
        array.step();
        let mut index = 0;
        while array.next_element() {
            let Ok(element) = array.value().parse() else {
                return self.give_up(|| format!("nested more than {MAX_CHECK_DEPTH} levels deep"));
            };
            if let Some(first) = seen.insert(element, index) {
                return self.fail(|| {
                    format!("the elements must be unique: elements {first} and {index} are equal")
                });
            }
            index += 1;
        }
        Ok(())
    }

    /// Checks how many elements of an array match a schema.
    fn contains(&mut self, link: &'a Link, wanted: Count, mut array: Cursor<'a>) -> CheckOutcome {
        let mut found = 0;
        array.step();
        while array.next_element() {
            match self.fits(link, array) {
                Ok(_) => found += 1,
                Err(Misfit::Fails) => {}
                Err(Misfit::Unknown) => return Err(Misfit::Unknown),
            }
            array.value();
        }
        if wanted.admits(found) {
            return Ok(());
        }
        self.fail(|| {
            let reason = reasons::count(wanted, "items", found);
            format!("{reason} that match what some elements must be")
        })
    }

    /// Checks an object and its members.
    pub(super) fn object(&mut self, rule: &'a ObjectRule, cursor: &mut Cursor<'a>) -> CheckOutcome {
        let mut outcome = Ok(());
        let mut count = 0;
        let mut missing = if self.is_decoded { 0 } else { rule.required };
        let mut seen = if missing > 0 {
            vec![false; rule.properties.len()]
        } else {
            Vec::new()
        };
        let has_rules_for_names = !rule.names.is_any() || !rule.patterns.is_empty();
        cursor.step();
        loop {
            let before = *cursor;
            let Some(name) = cursor.next_member() else {
                break;
            };
            let property = rule.property(name.as_written());
            if missing > 0
                && let Some(index) = property
                && rule.properties[index].is_required
                && !std::mem::replace(&mut seen[index], true)
            {
                missing -= 1;
            }
            let link = property.and_then(|index| rule.properties[index].link.as_ref());
            let part = self.within(Step::Member(name.as_written()), |walker| match link {
                Some(link) if !has_rules_for_names => walker.check(link, cursor),
                _ => walker.named_member(rule, link, name, before, cursor),
            });
            self.add(&mut outcome, part)?;
            count += 1;
        }
        if missing > 0 {
            for (property, is_seen) in rule.properties.iter().zip(seen) {
                if property.is_required && !is_seen {
                    let part = self.fail(|| {
                        format!("the member \"{}\" is missing", abbreviate(&property.name))
                    });
                    self.add(&mut outcome, part)?;
                }
            }
        }
        if !rule.count.admits(count) {
            let part = self.fail(|| reasons::count(rule.count, "members", count));
            self.add(&mut outcome, part)?;
        }
        outcome
    }

    /// Checks a member that is not described, or whose name has rules.
    fn named_member(
        &mut self,
        rule: &'a ObjectRule,
        property: Option<&'a Link>,
        name: Quoted<'a>,
        mut before: Cursor<'a>,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        let mut outcome = Ok(());
        before.next_item();
        let part = self.check(&rule.names, &mut before);
        self.add(&mut outcome, part)?;
        let part = self.member(rule, property, name, cursor);
        self.add(&mut outcome, part)?;
        outcome
    }

    /// Checks the value of a member against everything that applies to it: its property, the
    /// patterns that its name matches, or the schema of all others.
    fn member(
        &mut self,
        rule: &'a ObjectRule,
        property: Option<&'a Link>,
        name: Quoted<'a>,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        let start = *cursor;
        let mut outcome = Ok(());
        // Each pattern is matched against the name.
        self.steps_left = self.steps_left.saturating_sub(rule.patterns.len());
        let mut is_described = property.is_some();
        if let Some(link) = property {
            let part = if rule.patterns.is_empty() {
                self.check(link, cursor)
            } else {
                self.revisit(|walker| walker.check(link, cursor))
            };
            self.add(&mut outcome, part)?;
        }
        let text = if rule.patterns.is_empty() {
            "".into()
        } else {
            name.unescape()
        };
        for (pattern, link) in &rule.patterns {
            if self.matches(pattern, &text)? {
                is_described = true;
                *cursor = start;
                let part = self.revisit(|walker| walker.check(link, cursor));
                self.add(&mut outcome, part)?;
            }
        }
        if !is_described {
            let part = match &rule.additional {
                Link::Never => {
                    cursor.value();
                    self.fail(|| reasons::unknown(rule, name.as_written()))
                }
                link => self.check(link, cursor),
            };
            self.add(&mut outcome, part)?;
        }
        outcome
    }

    /// Checks the members of an object that no other keyword evaluates.
    pub(super) fn unevaluated(
        &mut self,
        evaluated: &'a Evaluated,
        link: &'a Link,
        cursor: &mut Cursor<'a>,
    ) -> CheckOutcome {
        if cursor.peek() != b'{' {
            return Ok(());
        }
        let mut evaluating = Vec::new();
        self.add_evaluating(evaluated, *cursor, &mut evaluating)?;
        let mut outcome = Ok(());
        cursor.step();
        while let Some(name) = cursor.next_member() {
            let text = name.unescape();
            if self.is_evaluated(&evaluating, &text)? {
                cursor.value();
                continue;
            }
            let part = self.within(Step::Member(name.as_written()), |walker| match link {
                Link::Never => {
                    cursor.value();
                    let found = shorten(name.as_written(), MAX_QUOTED_CHARS);
                    walker.fail(|| format!("unknown member {found}"))
                }
                link => walker.check(link, cursor),
            });
            self.add(&mut outcome, part)?;
        }
        outcome
    }

    /// Returns whether a keyword evaluates the member of this name.
    fn is_evaluated(&mut self, evaluating: &[&'a Evaluated], name: &str) -> Result<bool, Misfit> {
        for evaluated in evaluating {
            let mut is_named = evaluated.all
                || evaluated
                    .names
                    .binary_search_by(|evaluated_name| (**evaluated_name).cmp(name))
                    .is_ok();
            for pattern in &evaluated.patterns {
                is_named = is_named || self.matches(pattern, name)?;
            }
            if is_named {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Collects the schemas that evaluate members of an object. One that does not match evaluates none.
    fn add_evaluating(
        &mut self,
        evaluated: &'a Evaluated,
        object: Cursor<'a>,
        evaluating: &mut Vec<&'a Evaluated>,
    ) -> CheckOutcome {
        evaluating.push(evaluated);
        for part in &evaluated.parts {
            match self.fits(&part.schema, object) {
                Ok(_) => self.add_evaluating(&part.evaluated, object, evaluating)?,
                Err(Misfit::Fails) => {}
                Err(Misfit::Unknown) => return Err(Misfit::Unknown),
            }
        }
        Ok(())
    }
}
