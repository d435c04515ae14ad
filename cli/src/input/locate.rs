//! Where in a JSON text something is.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::ops::Range;

use docent_describe::json::{MAX_DEPTH, Scanner, SyntaxError, unescape_lossy};

/// A line and a column, both counted from one, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineColumn {
    line: usize,
    column: usize,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The lines of a text.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            text,
            starts: std::iter::once(0)
                .chain(ends.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The line and the column of a byte, which begins a character or is the end.
    pub(super) fn place(&self, offset: usize) -> LineColumn {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        LineColumn {
            line,
            column: self.text[start..offset].chars().count() + 1,
        }
    }
}

/// Where the values are that the pointers lead to, as far as there are any.
pub(super) fn spans<'p>(text: &str, pointers: &[&'p str]) -> HashMap<&'p str, Range<usize>> {
    let mut walk = Walk {
        text,
        scanner: Scanner::new(text, MAX_DEPTH),
        pointer: String::new(),
        wanted: pointers.iter().map(|pointer| (*pointer, None)).collect(),
    };
    // Only text that was read before is looked into, so it is well formed.
    let _ = walk.value();
    let found = walk.wanted.into_iter();
    found
        .filter_map(|(pointer, span)| Some((pointer, span?)))
        .collect()
}

/// Where the values are that the pointers lead to; for a value that is missing, where it is
/// missing.
pub(super) fn nearest(text: &str, pointers: &[&str]) -> Vec<Range<usize>> {
    let all: Vec<&str> = pointers
        .iter()
        .flat_map(|pointer| ancestors(pointer))
        .collect();
    let spans = spans(text, &all);
    let span = |pointer: &&str| ancestors(pointer).find_map(|pointer| spans.get(pointer).cloned());
    pointers
        .iter()
        .map(|pointer| span(pointer).unwrap_or_default())
        .collect()
}

/// A pointer, the pointer to what holds it, and so on.
fn ancestors(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |pointer| {
        pointer.rfind('/').map(|end| &pointer[..end])
    })
}

struct Walk<'t, 'p> {
    text: &'t str,
    scanner: Scanner<'t>,
    /// Where the scanner is.
    pointer: String,
    wanted: HashMap<&'p str, Option<Range<usize>>>,
}

impl Walk<'_, '_> {
    fn value(&mut self) -> Result<(), SyntaxError> {
        self.scanner.skip_whitespace();
        let start = self.scanner.offset();
        match self.scanner.peek() {
            Some(b'{') => self.inside(b'}')?,
            Some(b'[') => self.inside(b']')?,
            _ => self.scanner.skip_value()?,
        }
        // Of a name that was written twice the last value counts.
        if let Some(span) = self.wanted.get_mut(self.pointer.as_str()) {
            *span = Some(start..self.scanner.offset());
        }
        Ok(())
    }

    fn inside(&mut self, closing: u8) -> Result<(), SyntaxError> {
        self.scanner.open()?;
        let length = self.pointer.len();
        let mut index = 0;
        loop {
            self.scanner.skip_whitespace();
            if self.scanner.peek() == Some(closing) {
                break;
            }
            if closing == b'}' {
                self.name()?;
            } else {
                // Writing to a `String` cannot fail.
                let _ = write!(self.pointer, "/{index}");
            }
            self.value()?;
            self.pointer.truncate(length);
            self.scanner.skip_whitespace();
            self.scanner.eat(b',');
            index += 1;
        }
        self.scanner.close();
        Ok(())
    }

    fn name(&mut self) -> Result<(), SyntaxError> {
        let start = self.scanner.offset();
        self.scanner.skip_string()?;
        let name = unescape_lossy(&self.text[start..self.scanner.offset()]);
        self.pointer.push('/');
        self.pointer
            .push_str(&name.replace('~', "~0").replace('/', "~1"));
        self.scanner.skip_whitespace();
        self.scanner.expect(b':')
    }
}
