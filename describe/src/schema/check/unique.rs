//! `uniqueItems`.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use crate::json::{Cursor, Json};

use super::digest::Digests;
use super::failure::Cause;
use super::key::Key;

use super::FastMap;

/// Checks that no two elements of the array at the cursor are equal.
pub(super) fn check<'a>(mut cursor: Cursor<'a>, digests: &mut Digests) -> Result<(), Cause<'a>> {
    let start = cursor.offset();
    let mut elements = Vec::new();
    // Digests are already random.
    let mut seen: FastMap<u64, (usize, Cursor<'_>)> = FastMap::default();
    cursor.step();
    while cursor.next_element() {
        let element = cursor;
        let digest = digests.of(&mut cursor).ok_or(Cause::TooDeep)?;
        match seen.entry(digest) {
            Entry::Vacant(free) => {
                free.insert((elements.len(), element));
            }
            Entry::Occupied(first) => {
                let (index, first) = *first.get();
                if Key::read(&mut { first }) == Key::read(&mut { element }) {
                    return Err(Cause::Equal([index, elements.len()]));
                }
                // Two different values with the same digest occur once in the age of the universe.
            }
        }
        elements.push(digest);
    }
    digests.keep_array(start, cursor.offset(), &elements);
    Ok(())
}

/// Returns the values that are equal to an earlier one, however they are written.
pub fn repeated(values: &[Json]) -> impl Iterator<Item = &Json> {
    let mut seen = HashSet::new();
    values
        .iter()
        .filter(move |value| !seen.insert(Key::from(*value)))
}
