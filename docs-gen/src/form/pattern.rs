//! Decides which patterns a browser may check.
//!
//! A pattern comes from the description, so it may be slow on purpose, and its author may have meant
//! another dialect. The browser gets a pattern only if it means the same in the dialects of ECMA-262
//! (with the flag `u`) and of common libraries, and if it cannot take long: no repeated part contains
//! a repetition or a choice, and few repetitions are unbounded.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    Ast, ClassSet, ClassSetItem, GroupKind, Literal, LiteralKind, Repetition, RepetitionKind,
    RepetitionRange,
};

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
    // The parser reads a missing least count as 0, and ECMA-262 does not.
    if pattern.len() > MAX_PATTERN_LENGTH || !pattern.is_ascii() || pattern.contains("{,") {
        return false;
    }
    let mut cost = MatchCost {
        unbounded: 0,
        ways: 1,
    };
    Parser::new()
        .parse(pattern)
        .ok()
        .is_some_and(|ast| cost.add(&ast).is_some())
        && cost.unbounded <= MAX_UNBOUNDED
        && cost.ways <= MAX_WAYS
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
    /// repetition, nor an anchor. Returns `None` if the dialects read it differently.
    fn add(&mut self, ast: &Ast) -> Option<bool> {
        match ast {
            Ast::Empty(_) => Some(true),
            Ast::Literal(literal) => is_common(literal, "_-,:;/@#%!=<>'\"&~` ").then_some(true),
            Ast::Assertion(_) => Some(false),
            Ast::ClassBracketed(class) => match &class.kind {
                ClassSet::Item(item) => is_common_class(item).then_some(true),
                ClassSet::BinaryOp(_) => None,
            },
            Ast::Group(group) => match &group.kind {
                GroupKind::CaptureIndex(_) => self.add(&group.ast),
                GroupKind::NonCapturing(flags) if flags.items.is_empty() => self.add(&group.ast),
                _ => None,
            },
            Ast::Concat(concat) => concat
                .asts
                .iter()
                .try_fold(true, |all, part| Some(self.add(part)? && all)),
            Ast::Alternation(choice) => {
                self.ways = self.ways.saturating_mul(choice.asts.len() as u64);
                choice
                    .asts
                    .iter()
                    .try_fold(false, |_, part| self.add(part).map(|_| false))
            }
            Ast::Repetition(repetition) => self.repeat(repetition),
            _ => None,
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

/// Returns whether dialects agree on a character: one that means itself, or an escape such as `\.`.
fn is_common(literal: &Literal, plain: &str) -> bool {
    match literal.kind {
        LiteralKind::Verbatim => literal.c.is_ascii_alphanumeric() || plain.contains(literal.c),
        LiteralKind::Meta | LiteralKind::Superfluous => "^$\\.*+?()[]{}|/".contains(literal.c),
        _ => false,
    }
}

/// Returns whether a class such as `[a-z0-9_]` has only syntax on which dialects agree.
fn is_common_class(item: &ClassSetItem) -> bool {
    match item {
        ClassSetItem::Literal(literal) => is_common_in_class(literal),
        ClassSetItem::Range(range) => {
            is_common_in_class(&range.start) && is_common_in_class(&range.end)
        }
        ClassSetItem::Union(union) => match &union.items[..] {
            // At its end, a hyphen means itself.
            [others @ .., ClassSetItem::Literal(last)] if last.c == '-' => {
                others.iter().all(is_common_class)
            }
            [] => false,
            items => items.iter().all(is_common_class),
        },
        _ => false,
    }
}

/// Returns whether dialects agree on a character within a class. A hyphen has to be escaped there.
fn is_common_in_class(literal: &Literal) -> bool {
    let is_escaped_hyphen = literal.c == '-' && literal.kind == LiteralKind::Meta;
    is_escaped_hyphen || is_common(literal, " _.,:;/@#%+*?!=<>'\"$(){}|")
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
