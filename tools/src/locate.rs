//! Finds places in a JSON text: the lines of offsets, and the spans of values.
//!
//! Findings point into the model, and people read text. The text is walked only as far as a pointer leads, so a place
//! is found without a tree of the document.

use std::collections::HashMap;
use std::ops::Range;

use docent_describe::json::{Cursor, Pointer};

/// The lines of a text.
pub struct LineStarts<'t> {
    text: &'t str,
    /// The offset at which each line starts.
    starts: Vec<usize>,
}

impl<'t> LineStarts<'t> {
    /// Finds the lines of a text.
    pub fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { text, starts }
    }

    /// Returns the line of a byte offset.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset)
    }

    /// Returns the line and the column of a byte offset, as in `12:5`. Both are counted from one, and
    /// columns count characters. The offset must be the start of a character or the end.
    pub fn place(&self, offset: usize) -> String {
        let line = self.line(offset);
        let start = self.starts[line - 1];
        format!("{line}:{}", self.text[start..offset].chars().count() + 1)
    }
}

/// Returns the spans of the values that the pointers point to, if they exist. The text must be well
/// formed.
pub fn spans<'p>(text: &str, pointers: &[&'p str]) -> HashMap<&'p str, Range<usize>> {
    let mut wanted = pointers.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    let mut spans = Spans {
        wanted,
        found: HashMap::new(),
    };
    if !spans.wanted.is_empty() {
        spans.walk(&mut Cursor::new(text), &Pointer::root());
    }
    spans.found
}

/// Returns the texts of the elements of an array, or `None` if the text is not an array. The text must
/// be well formed.
pub fn elements(text: &str) -> Option<Vec<&str>> {
    let mut cursor = Cursor::new(text);
    if cursor.next_token() != b'[' {
        return None;
    }
    cursor.step();
    let mut elements = Vec::new();
    while cursor.next_element() {
        elements.push(cursor.value());
    }
    Some(elements)
}

/// The search for the spans of some values.
struct Spans<'p> {
    /// Sorted, so that the pointers into a value follow each other.
    wanted: Vec<&'p str>,
    /// The spans so far, by pointer.
    found: HashMap<&'p str, Range<usize>>,
}

impl Spans<'_> {
    /// Skips the value at the cursor and records its span and those of the values in it.
    fn walk(&mut self, cursor: &mut Cursor<'_>, pointer: &Pointer) {
        let first = cursor.next_token();
        let start = cursor.offset();
        match first {
            b'{' if self.is_wanted_inside(pointer) => {
                cursor.step();
                while let Some(name) = cursor.next_member() {
                    self.walk(cursor, &pointer.join(name.unescape()));
                }
            }
            b'[' if self.is_wanted_inside(pointer) => {
                cursor.step();
                let mut index = 0;
                while cursor.next_element() {
                    self.walk(cursor, &pointer.join(index));
                    index += 1;
                }
            }
            _ => _ = cursor.value(),
        }
        // If a name occurs twice, the last value counts.
        if let Ok(at) = self.wanted.binary_search(&pointer.as_str()) {
            self.found.insert(self.wanted[at], start..cursor.offset());
        }
    }

    /// Returns whether a wanted pointer leads into the value. This lets most values be skipped, however
    /// large.
    fn is_wanted_inside(&self, pointer: &Pointer) -> bool {
        let inside = format!("{pointer}/");
        let first = self.wanted.partition_point(|wanted| **wanted < *inside);
        self.wanted
            .get(first)
            .is_some_and(|wanted| wanted.starts_with(&inside))
    }
}

/// Returns the spans of the values that the pointers point to. For a missing value, returns the
/// span of its nearest ancestor.
pub fn nearest(text: &str, pointers: &[&str]) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    for pointer in pointers {
        all.extend(ancestors(pointer));
    }
    let spans = spans(text, &all);
    let mut nearest = Vec::new();
    for pointer in pointers {
        let span = ancestors(pointer).find_map(|ancestor| spans.get(ancestor));
        nearest.push(span.cloned().unwrap_or_default());
    }
    nearest
}

/// Returns a pointer, the pointer to its parent, and so on.
fn ancestors(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |pointer| {
        pointer.rfind('/').map(|end| &pointer[..end])
    })
}
