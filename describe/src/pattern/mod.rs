//! Patterns: the regular expressions of JSON Schema, in the dialect of ECMA-262.
//!
//! In goes the text of a pattern, out comes a [`Pattern`] that matches texts of callers, or the reason why there is
//! none. The author's text is published, and clients read it as ECMA-262, which differs from Rust's `regex`:
//!
//! ```text
//! \d       ten digits, and not those of all scripts
//! .        stops at four line terminators, and not only at \n
//! (?i)     does not exist: a reason for the author
//! \-       is an error outside brackets, as the flag `u` has it
//! (?=a)    look-around and back-references cannot be matched in linear time: a reason, too
//! ```
//!
//! So `parse` and `escape` read that grammar and translate it for `regex-automata`, with the sets of characters in
//! `sets` and `property`. As everywhere in JSON Schema, a pattern may match anywhere in the text unless it has
//! anchors. An engine for ECMA-262 would read all patterns, but backtracks: a caller could choose a text for which
//! matching takes hours. Here it takes time in proportion to the text, whatever the pattern, and both the size of a
//! pattern and the work for a text (`cost`) are limited.

mod cost;
mod escape;
mod parse;
mod property;
mod sets;

use std::sync::Arc;

use regex_automata::meta::{Config, Regex};
use regex_syntax::hir::{Hir, HirKind, Repetition};

use cost::MatchCost;

/// The maximum length of a pattern, in bytes.
const MAX_PATTERN_BYTES: usize = 10_000;

/// The maximum memory of a translated pattern, in bytes.
const MAX_COMPILED_BYTES: usize = 10 << 20;

/// A compiled pattern. Cheap to clone.
///
/// ```
/// use docent_describe::pattern::Pattern;
///
/// let isbn = Pattern::new(r"^97[89]-\d{10}$")?;
/// assert!(isbn.is_match("978-0141439846"));
/// assert!(!isbn.is_match("978-٠١٤١٤٣٩٨٤٦"), "digits are those of ASCII");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pattern(Arc<CompiledPattern>);

/// The state that all clones of a pattern share, with the memory that matching takes.
#[derive(Debug)]
struct CompiledPattern {
    text: Box<str>,
    regex: Regex,
    cost: MatchCost,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// The reason, to follow the name of the keyword: the text is not a pattern, cannot be matched in linear
    /// time, or is too large.
    pub fn new(text: &str) -> Result<Self, String> {
        const TOO_LARGE: &str = "cannot be enforced: it is too large";
        let hir = hir(text)?;
        let cost = MatchCost::new(&hir, MAX_COMPILED_BYTES).ok_or(TOO_LARGE)?;
        let regex = Regex::builder()
            .configure(Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES)))
            .build_from_hir(&hir)
            .map_err(|_| TOO_LARGE)?;
        Ok(Self(Arc::new(CompiledPattern {
            text: text.into(),
            regex,
            cost,
        })))
    }

    /// Returns whether a text is an ECMA-262 regular expression, enforceable or not. Texts of more than 10,000
    /// bytes do not count.
    pub fn is_pattern(text: &str) -> bool {
        text.len() <= MAX_PATTERN_BYTES && parse::parse(text).is_ok()
    }

    /// Returns whether Rust's `regex` reads a text as the same pattern as ECMA-262 does. A text with `\d` or
    /// `.` differs, because they accept other characters there. A pattern that both read alike is likely to
    /// work in other libraries.
    pub fn is_portable(text: &str) -> bool {
        match (hir(text), regex_syntax::parse(text)) {
            (Ok(ecma), Ok(rust)) => ecma == without_captures(&rust),
            _ => false,
        }
    }

    /// Returns the pattern as its author wrote it.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Returns whether there is a match anywhere in a text, however long that takes.
    #[inline]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.regex.is_match(text)
    }

    /// Returns whether there is a match anywhere in a text. `None` if finding out could take
    /// [too many steps](Self::allows).
    #[inline]
    pub(crate) fn try_match(&self, text: &str) -> Option<bool> {
        self.allows(text.len()).then(|| self.is_match(text))
    }

    /// Returns whether every text of up to this many bytes is matched within 33,554,432 steps: the
    /// states of the compiled pattern times the bytes of the text. A pattern whose states fit into a
    /// table, or whose match ends early, is matched in any text.
    ///
    /// ```
    /// use docent_describe::pattern::Pattern;
    ///
    /// let date = Pattern::new(r"^\d{4}-\d{2}-\d{2}$")?;
    /// assert!(date.allows(usize::MAX));
    /// let slow = Pattern::new("a[ab]{800}c")?;
    /// assert!(slow.allows(1_000) && !slow.allows(2 << 20));
    /// # Ok::<(), String>(())
    /// ```
    #[inline]
    pub fn allows(&self, bytes: usize) -> bool {
        self.0.cost.allows(bytes)
    }

    /// Returns a length in bytes up to which every text is matched, however little the pattern helps.
    pub(crate) fn sure_bytes(&self) -> usize {
        self.0.cost.sure_bytes()
    }
}

/// Translates a pattern.
///
/// # Errors
/// The same as for [`Pattern::new`], except that the size of the translation is not checked.
pub(crate) fn hir(text: &str) -> Result<Hir, String> {
    if text.len() > MAX_PATTERN_BYTES {
        return Err(format!(
            "cannot be enforced: it is longer than {MAX_PATTERN_BYTES} bytes"
        ));
    }
    let parsed = parse::parse(text)
        .map_err(|reason| format!("is not an ECMA-262 regular expression: {reason}"))?;
    match parsed.unenforceable {
        Some(construct) => Err(format!(
            "cannot be enforced: it needs {construct}, which cannot be matched in linear time"
        )),
        None => Ok(parsed.hir),
    }
}

/// Returns a pattern that captures nothing and repeats greedily, which does not change whether a text matches.
fn without_captures(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Capture(group) => without_captures(&group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(without_captures).collect()),
        HirKind::Alternation(parts) => {
            Hir::alternation(parts.iter().map(without_captures).collect())
        }
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            min: repetition.min,
            max: repetition.max,
            greedy: true,
            sub: Box::new(without_captures(&repetition.sub)),
        }),
        _ => hir.clone(),
    }
}

#[cfg(test)]
mod tests;
