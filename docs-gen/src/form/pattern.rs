//! Decides which patterns a browser may check.
//!
//! A pattern comes from the description, so it may be slow on purpose, and its author may have meant
//! another dialect. The browser gets a pattern only if it means the same in the dialects of ECMA-262
//! (with the flag `u`) and of other libraries, and if it cannot take long: no repeated part contains
//! a repetition or a choice, and few repetitions are unbounded.

use docent_describe::pattern::Pattern;
use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, Repetition, RepetitionKind, RepetitionRange};

/// The maximum length of a pattern that a browser may check.
const MAX_PATTERN_LENGTH: usize = 200;

/// The maximum number of unbounded repetitions. With more, matching takes more than the square of a text's length.
const MAX_UNBOUNDED: usize = 2;

/// The maximum count in a repetition.
const MAX_REPEATS: u32 = 1000;

/// The maximum difference between the bounds of a repetition. With a larger one, it counts as unbounded.
const MAX_COUNTED_RANGE: u32 = 8;

/// The maximum number of ways to match a text at one position, not counting unbounded repetitions.
const MAX_WAYS: u64 = 4096;

/// Returns whether a browser may check texts against the pattern.
pub(super) fn is_safe(pattern: &str) -> bool {
    if pattern.len() > MAX_PATTERN_LENGTH || !Pattern::is_portable(pattern) {
        return false;
    }
    let Ok(ast) = Parser::new().parse(pattern) else {
        return false;
    };
    let mut cost = MatchCost {
        unbounded: 0,
        ways: 1,
    };
    cost.add(&ast).is_some() && cost.unbounded <= MAX_UNBOUNDED && cost.ways <= MAX_WAYS
}

/// The cost of matching.
struct MatchCost {
    /// The number of unbounded repetitions.
    unbounded: usize,
    /// The number of ways to match at one position.
    ways: u64,
}

impl MatchCost {
    /// Adds the work of a part. Returns whether it may be repeated: it contains neither a choice, nor a
    /// repetition, nor an anchor. Returns `None` if it may take too long.
    fn add(&mut self, ast: &Ast) -> Option<bool> {
        match ast {
            Ast::Assertion(_) => Some(false),
            Ast::Group(group) => self.add(&group.ast),
            Ast::Concat(concat) => {
                let mut are_repeatable = true;
                for part in &concat.asts {
                    are_repeatable &= self.add(part)?;
                }
                Some(are_repeatable)
            }
            Ast::Alternation(choice) => {
                self.ways = self.ways.saturating_mul(choice.asts.len() as u64);
                for part in &choice.asts {
                    self.add(part)?;
                }
                Some(false)
            }
            Ast::Repetition(repetition) => self.repeat(repetition),
            // A character, or a set of them.
            _ => Some(true),
        }
    }

    /// Adds the work of a repetition. Like [`add`](Self::add), returns whether it may be repeated in
    /// turn.
    fn repeat(&mut self, repetition: &Repetition) -> Option<bool> {
        let is_twice = matches!(*repetition.ast, Ast::Repetition(_) | Ast::Assertion(_));
        let is_repeatable = self.add(&repetition.ast)?;
        let (least, most) = match &repetition.op.kind {
            RepetitionKind::ZeroOrOne => (0, Some(1)),
            RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => (0, None),
            RepetitionKind::Range(RepetitionRange::Exactly(count)) => (*count, Some(*count)),
            RepetitionKind::Range(RepetitionRange::AtLeast(least)) => (*least, None),
            RepetitionKind::Range(RepetitionRange::Bounded(least, most)) => (*least, Some(*most)),
        };
        match most {
            Some(most) if most - least <= MAX_COUNTED_RANGE => {
                self.ways = self.ways.saturating_mul(u64::from(most - least) + 1);
            }
            _ => self.unbounded += 1,
        }
        // A part that occurs at most once may contain anything.
        let fits = is_repeatable || most == Some(1);
        let is_small = most.unwrap_or(least) <= MAX_REPEATS;
        (fits && is_small && repetition.greedy && !is_twice).then_some(most == Some(least))
    }
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
            "^(?<name>é)$",
            r"^\p{L}\u0041$",
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
            "(?i)a",
            "(?=a)b",
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
        ] {
            assert!(!is_safe(pattern), "{pattern}");
        }
    }
}
