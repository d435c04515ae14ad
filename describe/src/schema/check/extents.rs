//! Skips containers repeatedly at the cost of skipping them once.
//!
//! A tag may be the last member of an object, after other objects whose tags come last. The search
//! for it skips those objects, and decoding them later does the same one level further inside.
//! Without this module, deeply nested text would be scanned once for each level.

use crate::json::Cursor;

use super::FastMap;

/// The ends of containers, by their starts.
#[derive(Debug, Default)]
pub(super) struct Extents(FastMap<usize, usize>);

impl Extents {
    /// Skips a value.
    pub(super) fn skip(&mut self, cursor: &mut Cursor<'_>) {
        if !cursor.is_at_container() {
            cursor.value();
        } else if let Some(&end) = self.0.get(&cursor.offset()) {
            cursor.move_to(end);
        } else {
            self.measure(cursor);
        }
    }

    /// Skips a container, and notes its end and those of the containers inside.
    fn measure(&mut self, cursor: &mut Cursor<'_>) {
        // Shorter ones are faster to scan than to look up.
        const NOTED: usize = 64;
        let mut open = Vec::new();
        loop {
            match cursor.peek() {
                b'[' | b'{' => {
                    // A container that has been noted is inside. On the way out of a value, larger
                    // and larger parts around the same text are skipped.
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
