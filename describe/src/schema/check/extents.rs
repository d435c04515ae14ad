//! Skips containers repeatedly at the cost of skipping them once.
//!
//! A tag may be the last member of an object, after other objects whose tags come last. Looking for
//! it skips those objects; decoding them later does the same one level further in, and so on.
//! Without this module, deeply nested text would be scanned as often as it is deep.

use crate::json::Cursor;

use super::FastMap;

/// Where containers end, by where they begin.
#[derive(Debug, Default)]
pub(super) struct Extents(FastMap<usize, usize>);

impl Extents {
    /// Passes over a value.
    pub(super) fn skip(&mut self, cursor: &mut Cursor<'_>) {
        if !cursor.is_at_container() {
            cursor.value();
        } else if let Some(&end) = self.0.get(&cursor.offset()) {
            cursor.move_to(end);
        } else {
            self.measure(cursor);
        }
    }

    /// Passes over a container, and notes where it and those within it end.
    fn measure(&mut self, cursor: &mut Cursor<'_>) {
        // Shorter ones are scanned faster than they are looked up.
        const NOTED: usize = 64;
        let mut open = Vec::new();
        loop {
            match cursor.peek() {
                b'[' | b'{' => {
                    // What has been noted is inside: on the way out of a value, more and more
                    // is passed over around the same text.
                    if let Some(&end) = self.0.get(&cursor.offset()) {
                        cursor.move_to(end);
                    } else {
                        open.push(cursor.offset());
                        cursor.step();
                    }
                }
                b']' | b'}' => {
                    cursor.step();
                    let start = open.pop().unwrap_or_default();
                    if cursor.offset() - start >= NOTED {
                        self.0.insert(start, cursor.offset());
                    }
                    if open.is_empty() {
                        return;
                    }
                }
                b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' => cursor.step(),
                0 => return,
                _ => {
                    cursor.value();
                }
            }
        }
    }
}
