//! Patterns: the regular expressions of JSON Schema, in the dialect of ECMA-262.
//!
//! The author's text is published, and clients read it as ECMA-262: `\d` is ten digits, `.` stops at
//! four line terminators, and `(?i)` does not exist. So [`Pattern::new`] uses that grammar, and patterns
//! have the same meaning here, with two exceptions: look-around and back-references are mistakes,
//! because no automaton can match them. As everywhere in JSON Schema, a pattern may match anywhere
//! in the text unless it has anchors.
//!
//! Texts come from anyone, so matching has to be cheap for every text. A pattern becomes an
//! automaton over the *kinds* of characters that it distinguishes; most patterns have
//! only a handful. The automaton is determinised when the service is built, so each character costs
//! one step, whatever the text. For a few patterns that automaton would be too large. They are
//! matched by a search whose cost grows with the pattern, and `build()` warns about them
//! ([`Pattern::burden`]).

mod ast;
mod automaton;
mod escape;
mod parse;
mod property;
mod states;
mod symbols;

use std::sync::Arc;

use ast::Edge;
use automaton::Automaton;

/// More states than this are many for a pattern that puts no bound on the text that it matches.
/// Patterns for addresses and names have about a hundred.
const MANY_STATES: usize = 256;

/// With so few states, checking each of them for each of two million characters takes less than a
/// second.
const FEW_STATES: usize = 32;

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
pub struct Pattern(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    text: Box<str>,
    automaton: Automaton,
    /// Whether the pattern bounds the length of a text that matches.
    is_bounded: bool,
}

/// What makes a pattern costly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Burden {
    /// It has this many states, and texts of any length match.
    Unbounded(usize),
    /// It has this many states, each of which may cost a step at each character.
    Slow(usize),
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Why it is none, or cannot be enforced.
    pub fn new(text: &str) -> Result<Self, String> {
        let parsed = parse::parse(text)
            .map_err(|reason| format!("is not an ECMA-262 regular expression: {reason}"))?;
        if let Some(beyond) = parsed.beyond {
            return Err(format!(
                "cannot be enforced: it needs {beyond}, which cannot be matched in linear time"
            ));
        }
        let anchored = |edge| parsed.ast.is_anchored(edge);
        Ok(Self(Arc::new(Parts {
            text: text.into(),
            automaton: Automaton::new(&parsed.ast)
                .ok_or("cannot be enforced: its automaton is too large")?,
            is_bounded: parsed.ast.longest().is_some()
                && anchored(Edge::Start)
                && anchored(Edge::End),
        })))
    }

    /// Returns whether a text is an ECMA-262 regular expression, enforceable or not.
    pub fn is_pattern(text: &str) -> bool {
        parse::is_pattern(text)
    }

    /// Returns the pattern as its author wrote it.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Returns whether there is a match anywhere in a text.
    #[inline]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.automaton.is_match(text)
    }

    /// Returns why it may be costly to match, if it may.
    pub fn burden(&self) -> Option<Burden> {
        let states = self.0.automaton.states();
        if self.0.automaton.is_slow() && states > FEW_STATES {
            Some(Burden::Slow(states))
        } else if !self.0.is_bounded && states > MANY_STATES {
            Some(Burden::Unbounded(states))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests;
