//! `uniqueItems`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::failure::Cause;
use super::key::Key;
use crate::text::Cursor;

/// Checks that no two elements of the array at the cursor are equal.
///
/// The elements are the caller's, so the standard library's hasher is the right one: its collisions
/// cannot be provoked, and the time stays proportional to the length of the text.
pub(super) fn check(mut cursor: Cursor<'_>) -> Result<(), Cause<'_>> {
    let mut seen = HashMap::new();
    let mut index = 0usize;
    cursor.step();
    while cursor.next_element() {
        let key = Key::read(&mut cursor).ok_or(Cause::TooDeep)?;
        match seen.entry(key) {
            Entry::Occupied(first) => return Err(Cause::Equal([*first.get(), index])),
            Entry::Vacant(free) => {
                free.insert(index);
            }
        }
        index += 1;
    }
    Ok(())
}
