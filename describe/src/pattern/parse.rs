//! Reads a pattern as ECMA-262 does with the flag `u`, as JSON Schema requires.
//!
//! The flag makes the grammar strict: a special character must be escaped to stand for itself, and
//! no other character may be escaped. So nearly all syntax that only Rust supports is already an
//! error here. Syntax that would be legal but mean something else is rejected too.

use std::collections::HashSet;

use regex_syntax::hir::{Class, ClassUnicode, Hir, Look, Repetition};

use super::sets::{LINE_END_RANGES, all_but, set};

/// The maximum depth of nested groups: patterns are walked by recursion.
const MAX_GROUP_DEPTH: usize = 100;

/// A pattern that follows the grammar.
pub(super) struct Parsed {
    pub(super) hir: Hir,
    /// A construct in it that would take more than linear time to match.
    pub(super) unenforceable: Option<&'static str>,
}

/// Reads a pattern.
///
/// # Errors
/// A reason for the pattern's author, if the text does not follow the grammar.
pub(super) fn parse(pattern: &str) -> Result<Parsed, String> {
    let mut parser = Parser {
        chars: pattern.chars().collect(),
        at: 0,
        depth: 0,
        unenforceable: None,
        groups: 0,
        names: HashSet::new(),
        references: Vec::new(),
    };
    let hir = parser.disjunction()?;
    if parser.peek() == Some(')') {
        return Err("there is a `)` without a `(`".to_owned());
    }
    parser.check_references()?;
    Ok(Parsed {
        hir,
        unenforceable: parser.unenforceable,
    })
}

/// The target of a back-reference.
pub(super) enum Reference {
    Number(u32),
    Name(String),
}

/// The text of a pattern, the position in it, and the groups and references before that position.
pub(super) struct Parser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    depth: usize,
    unenforceable: Option<&'static str>,
    groups: u32,
    names: HashSet<String>,
    references: Vec<Reference>,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    pub(super) fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_all(&mut self, expected: &str) -> bool {
        let length = expected.chars().count();
        let found = self
            .chars
            .get(self.at..self.at + length)
            .is_some_and(|chars| chars.iter().copied().eq(expected.chars()));
        if found {
            self.at += length;
        }
        found
    }

    /// Notes a construct that follows the grammar but cannot be enforced.
    pub(super) fn note_unenforceable(&mut self, construct: &'static str) {
        self.unenforceable.get_or_insert(construct);
    }

    /// Notes a back-reference. Its group may come later, so it is checked at the end.
    pub(super) fn refer(&mut self, reference: Reference) {
        self.note_unenforceable("a back-reference");
        self.references.push(reference);
    }

    /// Checks that each back-reference has a group.
    fn check_references(&self) -> Result<(), String> {
        for reference in &self.references {
            match reference {
                Reference::Number(number) if *number > self.groups => {
                    return Err(format!(
                        "`\\{number}` refers to a group that does not exist"
                    ));
                }
                Reference::Name(name) if !self.names.contains(name) => {
                    return Err(format!(
                        "`\\k<{name}>` refers to a group that does not exist"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Parses alternatives between bars, up to the end of the group or the pattern.
    fn disjunction(&mut self) -> Result<Hir, String> {
        self.depth += 1;
        if self.depth > MAX_GROUP_DEPTH {
            return Err(format!(
                "its groups are nested more than {MAX_GROUP_DEPTH} deep"
            ));
        }
        let mut alternatives = vec![self.alternative()?];
        while self.eat('|') {
            alternatives.push(self.alternative()?);
        }
        self.depth -= 1;
        Ok(Hir::alternation(alternatives))
    }

    /// Parses parts up to a bar or the end of the group.
    fn alternative(&mut self) -> Result<Hir, String> {
        let mut parts = Vec::new();
        while let Some(next) = self.peek().filter(|next| !matches!(next, '|' | ')')) {
            let (part, quantifiable) = self.term(next)?;
            parts.push(self.quantified(part, quantifiable)?);
        }
        Ok(Hir::concat(parts))
    }

    /// Parses one part of a pattern. Also returns whether it may be repeated.
    fn term(&mut self, next: char) -> Result<(Hir, bool), String> {
        self.at += 1;
        Ok(match next {
            '^' => (Hir::look(Look::Start), false),
            '$' => (Hir::look(Look::End), false),
            '.' => (class(all_but(&LINE_END_RANGES)), true),
            '(' => self.group()?,
            '[' => (class(self.bracketed()?), true),
            '\\' if self.eat('b') => (Hir::look(Look::WordAscii), false),
            '\\' if self.eat('B') => (Hir::look(Look::WordAsciiNegate), false),
            '\\' => (self.escape()?, true),
            '*' | '+' | '?' => {
                return Err(format!(
                    "there is nothing for `{next}` to repeat (possessive quantifiers are not \
                     supported)"
                ));
            }
            '{' | '}' | ']' => {
                return Err(format!("write a literal `{next}` as `\\{next}`"));
            }
            other => (class(set(&[(other.into(), other.into())])), true),
        })
    }

    /// Parses a group, after its opening parenthesis. Also returns whether it may be repeated.
    fn group(&mut self) -> Result<(Hir, bool), String> {
        let mut quantifiable = true;
        if self.eat_all("?=") || self.eat_all("?!") || self.eat_all("?<=") || self.eat_all("?<!") {
            self.note_unenforceable("look-around");
            quantifiable = false;
        } else if self.eat_all("?<") {
            let name = self.group_name()?;
            if !self.names.insert(name.clone()) {
                return Err(format!("two groups are named `{name}`"));
            }
            self.groups += 1;
        } else if self.eat_all("?P<") {
            return Err("`(?P<name>…)` is Rust syntax; write `(?<name>…)`".to_owned());
        } else if self.eat('?') {
            if !self.eat(':') {
                return Err(
                    "a group must begin with `(`, `(?:` or `(?<name>`; flags such as `(?i)` are \
                     not supported"
                        .to_owned(),
                );
            }
        } else {
            self.groups += 1;
        }
        let inner = self.disjunction()?;
        if self.eat(')') {
            Ok((inner, quantifiable))
        } else {
            Err("there is a `(` without a `)`".to_owned())
        }
    }

    /// Returns the text before the next such character, if there is one.
    pub(super) fn text_before(&self, end: char) -> Option<String> {
        let rest = &self.chars[self.at..];
        let end = rest.iter().position(|&next| next == end)?;
        Some(rest[..end].iter().collect())
    }

    /// Parses the name of a group, after its `<`.
    pub(super) fn group_name(&mut self) -> Result<String, String> {
        let name = self.text_before('>').unwrap_or_default();
        let is_name = name.starts_with(is_letter)
            && name
                .chars()
                .all(|next| is_letter(next) || next.is_numeric());
        if !is_name {
            return Err("a group's name may contain only letters, digits, `_` and `$`".to_owned());
        }
        self.at += name.chars().count() + 1;
        Ok(name)
    }

    /// Parses the quantifier after a part, if there is one, and applies it.
    fn quantified(&mut self, part: Hir, quantifiable: bool) -> Result<Hir, String> {
        let Some(quantifier @ ('*' | '+' | '?' | '{')) = self.peek() else {
            return Ok(part);
        };
        self.at += 1;
        let (least, most) = match quantifier {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => self.counts()?,
        };
        if !quantifiable {
            return Err("an assertion (`^`, `$`, `\\b`, `\\B`) cannot be repeated".to_owned());
        }
        // The order in which longer and shorter matches are tried does not change whether there is
        // a match.
        self.eat('?');
        Ok(Hir::repetition(Repetition {
            min: least,
            max: most,
            greedy: true,
            sub: Box::new(part),
        }))
    }

    /// Parses the numbers of `{2}`, `{2,}` or `{2,5}`, after the brace.
    fn counts(&mut self) -> Result<(u32, Option<u32>), String> {
        const UNCLEAR_BRACE: &str = "write `\\{` for a brace; as a quantifier it is followed by numbers: \
             `{2}`, `{2,}` or `{2,5}`";
        let least = self.number().ok_or(UNCLEAR_BRACE)?;
        let most = if self.eat(',') {
            match self.peek() {
                Some('}') => None,
                _ => Some(self.number().ok_or(UNCLEAR_BRACE)?),
            }
        } else {
            Some(least)
        };
        if !self.eat('}') {
            return Err(UNCLEAR_BRACE.to_owned());
        }
        if most.is_some_and(|most| most < least) {
            return Err("a quantifier's numbers are out of order".to_owned());
        }
        Ok((least, most))
    }

    /// Parses a decimal number. A number that does not fit becomes the greatest `u32`.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|next| next.to_digit(10)) {
            let so_far = number.unwrap_or(0u32);
            number = Some(so_far.saturating_mul(10).saturating_add(digit));
            self.at += 1;
        }
        number
    }
}

/// Returns whether the name of a group may begin with a character.
fn is_letter(next: char) -> bool {
    next.is_alphabetic() || matches!(next, '_' | '$')
}

/// Returns an expression that matches one character of a set.
pub(super) fn class(set: ClassUnicode) -> Hir {
    Hir::class(Class::Unicode(set))
}
