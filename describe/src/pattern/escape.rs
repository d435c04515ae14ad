//! Parses escapes and sets in brackets.
//!
//! Both stand for characters, and an escape may stand inside brackets, so one parser reads them.
//! Back-references need a group, so they are noted for the parser of the whole pattern.

use regex_syntax::hir::{ClassUnicode, Hir};

use super::parse::{Parser, Reference, class};
use super::property;
use super::sets::{DIGIT_RANGES, SPACE_RANGES, WORD_RANGES, set};

/// One character or a set of characters.
enum Atom {
    /// A code point. Half of a surrogate pair may be one end of a range.
    Code(u32),
    Set(ClassUnicode),
}

impl Parser {
    /// Parses an escape outside of brackets, after its backslash.
    pub(super) fn escape(&mut self) -> Result<Hir, String> {
        match self.peek() {
            Some('1'..='9') => {
                let number = self.number().unwrap_or_default();
                self.refer(Reference::Number(number));
                Ok(Hir::empty())
            }
            Some('k') => {
                self.at += 1;
                if !self.eat('<') {
                    return Err(
                        "`\\k` must be followed by the name of a group: `\\k<name>`".to_owned()
                    );
                }
                let name = self.group_name()?;
                self.refer(Reference::Name(name));
                Ok(Hir::empty())
            }
            _ => Ok(class(match self.escaped()? {
                Atom::Code(code) => set(&[(code, code)]),
                Atom::Set(set) => set,
            })),
        }
    }

    /// Parses a set in brackets, after the opening one.
    pub(super) fn bracketed(&mut self) -> Result<ClassUnicode, String> {
        let negated = self.eat('^');
        // The set is built once at the end, because adding to a set sorts it again.
        let mut ranges = Vec::new();
        loop {
            let first = match self.peek() {
                None => return Err("there is a `[` without a `]`".to_owned()),
                Some(']') => break,
                Some(_) => self.class_atom()?,
            };
            let is_range = self.peek() == Some('-')
                && self.chars.get(self.at + 1).is_some_and(|&next| next != ']');
            if !is_range {
                match first {
                    Atom::Code(code) => ranges.push((code, code)),
                    Atom::Set(set) => {
                        for range in set.iter() {
                            ranges.push((range.start().into(), range.end().into()));
                        }
                    }
                }
                continue;
            }
            self.refuse_doubled()?;
            self.at += 1;
            let (Atom::Code(first), Atom::Code(last)) = (first, self.class_atom()?) else {
                return Err(
                    "a range in brackets must go from one character to another, not from or to a \
                     set"
                    .to_owned(),
                );
            };
            if first > last {
                return Err("a range in brackets is out of order".to_owned());
            }
            ranges.push((first, last));
        }
        self.at += 1;
        Ok(negated_if(negated, set(&ranges)))
    }

    /// Parses one character or escape inside brackets.
    fn class_atom(&mut self) -> Result<Atom, String> {
        if self.eat('\\') {
            return match self.peek() {
                Some('b') => {
                    self.at += 1;
                    Ok(Atom::Code(0x08))
                }
                Some('-') => {
                    self.at += 1;
                    Ok(Atom::Code('-'.into()))
                }
                _ => self.escaped(),
            };
        }
        self.refuse_doubled()?;
        if self.peek() == Some('[') && matches!(self.chars.get(self.at + 1), Some(':')) {
            return Err(
                "names such as `[:alpha:]` are not supported in brackets; list the characters, \
                 such as `a-zA-Z`"
                    .to_owned(),
            );
        }
        // The caller has checked that a character follows.
        Ok(Atom::Code(self.next().unwrap_or_default().into()))
    }

    /// Rejects `&&`, `--` and `~~`. They are set operations for Rust (and for ECMA-262's flag `v`),
    /// but characters for ECMA-262's flag `u`.
    fn refuse_doubled(&self) -> Result<(), String> {
        match (self.peek(), self.chars.get(self.at + 1)) {
            (Some(first @ ('&' | '-' | '~')), Some(second)) if first == *second => Err(format!(
                "`{first}{first}` in brackets means different things in different engines; write \
                 the characters another way"
            )),
            _ => Ok(()),
        }
    }

    /// Parses an escape that stands for characters, after its backslash.
    fn escaped(&mut self) -> Result<Atom, String> {
        let Some(letter) = self.next() else {
            return Err("it ends in a backslash".to_owned());
        };
        match letter {
            'd' | 'D' => Ok(Atom::Set(negated_if(letter == 'D', set(&DIGIT_RANGES)))),
            's' | 'S' => Ok(Atom::Set(negated_if(letter == 'S', set(&SPACE_RANGES)))),
            'w' | 'W' => Ok(Atom::Set(negated_if(letter == 'W', set(&WORD_RANGES)))),
            'p' | 'P' => self.property(letter == 'P'),
            't' => Ok(Atom::Code('\t'.into())),
            'n' => Ok(Atom::Code('\n'.into())),
            'v' => Ok(Atom::Code(0x0b)),
            'f' => Ok(Atom::Code(0x0c)),
            'r' => Ok(Atom::Code('\r'.into())),
            'c' => match self.next() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    Ok(Atom::Code(u32::from(letter) % 32))
                }
                _ => Err("`\\c` must be followed by a letter".to_owned()),
            },
            '0' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => Ok(Atom::Code(0)),
            'x' => self.hexadecimal(2).map(Atom::Code).ok_or_else(|| {
                "`\\x` must be followed by two hexadecimal digits; otherwise write `\\u{…}`"
                    .to_owned()
            }),
            'u' => self.unicode(),
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/' => Ok(Atom::Code(letter.into())),
            other => Err(unknown(other)),
        }
    }

    /// Parses `\u00e9`, `\u{e9}` or both halves of a surrogate pair, after the letter.
    fn unicode(&mut self) -> Result<Atom, String> {
        const MALFORMED_CODE: &str =
            "`\\u` must be followed by four hexadecimal digits, or by a code point in braces";
        if self.eat('{') {
            let code = self.code_point().ok_or(MALFORMED_CODE)?;
            return Ok(Atom::Code(code));
        }
        let first = self.hexadecimal(4).ok_or(MALFORMED_CODE)?;
        let after_first = self.at;
        if matches!(first, 0xd800..=0xdbff) && self.eat_all("\\u") {
            match self.hexadecimal(4) {
                Some(second @ 0xdc00..=0xdfff) => {
                    return Ok(Atom::Code(
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                    ));
                }
                // The second escape stands for itself.
                _ => self.at = after_first,
            }
        }
        Ok(Atom::Code(first))
    }

    /// Parses the code point of `\u{e9}`, after its opening brace.
    fn code_point(&mut self) -> Option<u32> {
        let digits = self.text_before('}')?;
        self.at += digits.chars().count() + 1;
        if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        u32::from_str_radix(&digits, 16)
            .ok()
            .filter(|code| *code <= 0x0010_ffff)
    }

    /// Parses exactly this many hexadecimal digits.
    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let code = self
            .chars
            .get(self.at..self.at + count)?
            .iter()
            .try_fold(0, |code, digit| Some(code * 16 + digit.to_digit(16)?))?;
        self.at += count;
        Some(code)
    }

    /// Parses `\p{…}`, after the letter.
    fn property(&mut self, negated: bool) -> Result<Atom, String> {
        let text = self.text_before('}').unwrap_or_default();
        let Some(name) = text.strip_prefix('{') else {
            return Err("`\\p` must be followed by a property in braces: `\\p{L}`".to_owned());
        };
        self.at += text.chars().count() + 1;
        Ok(Atom::Set(negated_if(negated, property::find(name)?)))
    }
}

fn negated_if(negated: bool, mut set: ClassUnicode) -> ClassUnicode {
    if negated {
        set.negate();
    }
    set
}

/// Returns the message for an unknown escape.
fn unknown(letter: char) -> String {
    let instead = match letter {
        'A' => "; write `^`",
        'z' | 'Z' => "; write `$`",
        'h' => "; write `[ \\t]`",
        'a' => "; write `\\x07`",
        'U' => "; write `\\u{…}`",
        '0'..='9' => "; write a character by its code as `\\x00` or `\\u0000`",
        letter if letter.is_ascii_alphanumeric() => "",
        _ => {
            return format!("`{letter}` needs no backslash here");
        }
    };
    format!("there is no `\\{letter}`{instead}")
}
