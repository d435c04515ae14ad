//! Digests of values, to find equal ones among many.
//!
//! Lists of unique elements may be nested, and then every element is compared at each level. The
//! digest of a value is computed from the digests of its parts, and digests of containers are kept,
//! so the work grows with the length of the text but not with its depth.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use crate::json::Cursor;

use super::key::{Key, MAX_DEPTH};

use super::FastMap;

/// The digests of the values of one text.
///
/// Callers choose the text, so digests use random keys: a caller cannot construct two values with
/// the same digest.
#[derive(Debug, Default)]
pub(super) struct Digests {
    keys: RandomState,
    /// The digests and ends of containers, by their starts.
    known: FastMap<usize, (u64, usize)>,
}

impl Digests {
    /// Returns the digest of the value at the cursor, and moves past it. Returns `None` if the
    /// value is nested too deeply.
    pub(super) fn of(&mut self, cursor: &mut Cursor<'_>) -> Option<u64> {
        self.of_value(cursor, MAX_DEPTH)
    }

    /// Keeps the digest of an array between two offsets, computed from those of its elements.
    pub(super) fn keep_array(&mut self, start: usize, end: usize, elements: &[u64]) {
        let digest = self.keys.hash_one((b'[', elements));
        self.keep(start, end, digest);
    }

    fn keep(&mut self, start: usize, end: usize, digest: u64) {
        // Shorter ones are faster to read again than to look up.
        const KEPT: usize = 64;
        if end - start >= KEPT {
            self.known.insert(start, (digest, end));
        }
    }

    fn of_value(&mut self, cursor: &mut Cursor<'_>, depth_left: u32) -> Option<u64> {
        if !cursor.is_at_container() {
            // A scalar always has a key, because it is not nested.
            return Key::read(cursor).map(|key| self.keys.hash_one(key));
        }
        let start = cursor.offset();
        if let Some((digest, end)) = self.known.get(&start) {
            cursor.move_to(*end);
            return Some(*digest);
        }
        let depth_left = depth_left.checked_sub(1)?;
        let is_array = cursor.peek() == b'[';
        cursor.step();
        let digest = if is_array {
            let mut elements = Vec::new();
            while cursor.next_element() {
                elements.push(self.of_value(cursor, depth_left)?);
            }
            self.keys.hash_one((b'[', elements.as_slice()))
        } else {
            let mut members = Vec::new();
            while let Some(name) = cursor.next_member() {
                let name = self.keys.hash_one(name.unescape());
                members.push((name, self.of_value(cursor, depth_left)?));
            }
            self.of_members(members)
        };
        self.keep(start, cursor.offset(), digest);
        Some(digest)
    }

    /// Returns the digest of an object. The order of members is ignored, and the last of several
    /// members with the same name counts.
    fn of_members(&self, mut members: Vec<(u64, u64)>) -> u64 {
        members.sort_by_key(|(name, _)| *name);
        let mut hasher = self.keys.build_hasher();
        hasher.write_u8(b'{');
        let mut rest = members.as_slice();
        while let [member, others @ ..] = rest {
            if others.first().is_none_or(|next| next.0 != member.0) {
                member.hash(&mut hasher);
            }
            rest = others;
        }
        hasher.finish()
    }
}
