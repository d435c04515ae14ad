//! Decides which patterns a browser may check.
//!
//! A pattern comes from the description, so it may be slow on purpose, and its author may have meant
//! another dialect. The browser gets a pattern only if it means the same in the dialects of ECMA-262
//! (with the flag `u`) and of common libraries, and if it cannot take long: no repeated part contains
//! a repetition or a choice, and few repetitions are unbounded.

/// The longest pattern that is considered.
const LONGEST: usize = 200;

/// The most unbounded repetitions. With more, matching takes more than the square of a text's length.
const MOST_ENDLESS: usize = 2;

/// The largest count in a repetition.
const MOST_TIMES: u32 = 1000;

/// The widest range of a bounded repetition. A wider one counts as unbounded.
const NARROW: u32 = 8;

/// The most ways to match a text at one position, not counting unbounded repetitions.
const MOST_WAYS: u64 = 4096;

/// Returns whether a browser may check texts against the pattern.
pub(super) fn is_safe(pattern: &str) -> bool {
    let mut reader = Reader {
        rest: pattern,
        endless: 0,
        ways: 1,
        depth: 0,
    };
    pattern.len() <= LONGEST
        && pattern.is_ascii()
        && reader.choices().is_some()
        && reader.rest.is_empty()
        && reader.endless <= MOST_ENDLESS
        && reader.ways <= MOST_WAYS
}

struct Reader<'p> {
    rest: &'p str,
    endless: usize,
    ways: u64,
    depth: usize,
}

/// True if a part may be repeated: it is neither a choice nor a repetition itself.
type Repeatable = bool;

impl Reader<'_> {
    fn next_is(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let first = characters.next();
        self.rest = characters.as_str();
        first
    }

    /// Reads `a|b|c`, up to the end or a closing parenthesis.
    fn choices(&mut self) -> Option<Repeatable> {
        self.depth += 1;
        if self.depth > 20 {
            return None;
        }
        let mut repeatable = self.sequence()?;
        let mut branches = 1;
        while self.next_is("|") {
            self.sequence()?;
            repeatable = false;
            branches += 1;
        }
        self.ways = self.ways.saturating_mul(branches);
        self.depth -= 1;
        Some(repeatable)
    }

    fn sequence(&mut self) -> Option<Repeatable> {
        let mut repeatable = true;
        while !self.rest.is_empty() && !self.rest.starts_with(['|', ')']) {
            let (part, is_place) = self.part()?;
            repeatable &= part && !is_place;
            repeatable &= !self.repetition(part && !is_place)?;
        }
        Some(repeatable)
    }

    /// Reads one part. Returns whether it may be repeated, and whether it is an anchor.
    fn part(&mut self) -> Option<(Repeatable, bool)> {
        match self.take()? {
            '^' | '$' => Some((true, true)),
            '(' => {
                if self.rest.starts_with('?') && !self.next_is("?:") {
                    return None;
                }
                let inner = self.choices()?;
                self.next_is(")").then_some((inner, false))
            }
            '[' => self.class().map(|()| (true, false)),
            '\\' => self.escape().map(|_| (true, false)),
            plain if is_plain(plain) => Some((true, false)),
            _ => None,
        }
    }

    /// Reads an escape on which the dialects agree, such as `\.`.
    fn escape(&mut self) -> Option<char> {
        self.take().filter(|it| "^$\\.*+?()[]{}|/".contains(*it))
    }

    /// Reads a class such as `[a-z0-9_]`, without the syntax on which dialects differ.
    fn class(&mut self) -> Option<()> {
        self.next_is("^");
        let mut count = 0;
        while !self.next_is("]") {
            let first = self.class_character()?;
            if self.rest.starts_with('-') && !self.rest.starts_with("-]") {
                self.take();
                let last = self.class_character()?;
                (first <= last).then_some(())?;
            }
            count += 1;
        }
        (count > 0).then_some(())
    }

    fn class_character(&mut self) -> Option<char> {
        match self.take()? {
            '\\' => self.take().filter(|it| "^$\\.*+?()[]{}|/-".contains(*it)),
            '-' if self.rest.starts_with(']') => Some('-'),
            plain
                if plain.is_ascii_alphanumeric()
                    || " _.,:;/@#%+*?!=<>'\"$(){}|".contains(plain) =>
            {
                Some(plain)
            }
            _ => None,
        }
    }

    /// Reads the repetition of a part, and returns whether it is repeated without a fixed count.
    fn repetition(&mut self, repeatable: Repeatable) -> Option<bool> {
        let (least, most) = if self.next_is("*") || self.next_is("+") {
            (0, None)
        } else if self.next_is("?") {
            // At most once: the part may contain anything.
            self.ways = self.ways.saturating_mul(2);
            return (!self.rest.starts_with(['?', '*', '+', '{'])).then_some(true);
        } else if self.next_is("{") {
            let least = self.count()?;
            let most = match (self.next_is(","), self.rest.starts_with('}')) {
                (false, _) => Some(least),
                (true, true) => None,
                (true, false) => Some(self.count()?),
            };
            self.next_is("}").then_some((least, most))?
        } else {
            return Some(false);
        };
        let is_closed = most.is_none() || least <= most?;
        let wide = most.is_none_or(|most| most.saturating_sub(least) > NARROW);
        match most {
            Some(most) if !wide => {
                self.ways = self
                    .ways
                    .saturating_mul(u64::from(most - least.min(most)) + 1);
            }
            _ => self.endless += 1,
        }
        let is_followed = self.rest.starts_with(['?', '*', '+', '{']);
        (repeatable && is_closed && !is_followed).then_some(most != Some(least))
    }

    fn count(&mut self) -> Option<u32> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (count, rest) = self.rest.split_at(digits);
        self.rest = rest;
        count.parse().ok().filter(|count| *count <= MOST_TIMES)
    }
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || " _-,:;/@#%!=<>'\"&~`".contains(character)
}

#[cfg(test)]
mod tests {
    use super::is_safe;

    #[test]
    fn patterns_of_one_meaning_and_little_work_are_checked() {
        for pattern in [
            "^97[89][0-9]{10}$",
            "^0x([1-9a-f]+[0-9a-f]*|0)$",
            "^0x[0-9a-f]{64}$",
            "^(earliest|latest|safe)$",
            "^[A-Za-z_][A-Za-z0-9_-]*$",
            "^([0-9a-f]{2}){1,40}$",
            r"^[^@]+@example\.org$",
            "^(?:ab)?c$",
        ] {
            assert!(is_safe(pattern), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_take_long_or_differ_are_not() {
        for pattern in [
            "^(a+)+$",
            "^(a|a)*$",
            "^(a?)*$",
            "^((ab)*)*$",
            "^(a{1,9}){1,9}$",
            "a*a*a*b",
            "^[a-z]{0,99}[a-z]{0,99}[a-z]{0,99}$",
            "^a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaa$",
            "^(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$",
            r"^\d+$",
            r"^\w+$",
            "^.$",
            r"^\p{L}$",
            "(?i)a",
            "(?=a)b",
            "(?<n>a)",
            r"(a)\1",
            "[[:alpha:]]",
            "[a&&b]",
            "[b-a]",
            "a{2}{3}",
            "a**",
            "a{,3}",
            "a{99999}",
            "(",
            "a)",
            "[a",
            "é",
            r"\u0041",
        ] {
            assert!(!is_safe(pattern), "{pattern}");
        }
    }
}
