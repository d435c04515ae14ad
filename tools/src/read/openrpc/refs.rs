//! Follows references to anything but schemas: methods, content descriptors, errors, examples,
//! tags, and links.
//!
//! OpenRPC allows a reference in place of each of them. Its target is copied to where it is read, so the number of
//! copied values is limited. References to schemas stay references (`read/schemas.rs`).

use docent_describe::json::Json;

use super::OpenRpcReading;
use crate::read::drafts::take_reference;
use crate::read::fields::MemberReader;
use crate::read::location::Location;

/// The maximum number of values that are copied from the targets of references. No real document
/// comes close. The limit keeps a small document from expanding into a huge one.
pub(super) const MAX_COPIED_VALUES: usize = 2_000_000;

/// The maximum number of references that lead to each other. A longer chain is a cycle.
const MAX_REFERENCE_CHAIN: usize = 16;

impl OpenRpcReading<'_> {
    /// Reads a value, or its target if it is a reference. Members beside a reference override those
    /// of the target.
    pub(super) fn followed<T>(
        &self,
        mut value: Json,
        at: &Location<'_>,
        read: impl FnOnce(Json, &Location<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut place = at.clone();
        for _ in 0..MAX_REFERENCE_CHAIN {
            let Some(reference) = take_reference(&mut value) else {
                return read(value, &place);
            };
            let (target, found) = self.target(&reference, at)?;
            place = target;
            value = merged(value, found);
        }
        at.reject("a reference to itself, left out")
    }

    /// Takes an array and reads its elements, or their targets.
    pub(super) fn each<T>(
        &self,
        fields: &mut MemberReader<'_>,
        name: &str,
        read: impl Fn(Json, &Location<'_>) -> Option<T>,
    ) -> Vec<T> {
        fields.each(name, |value, at| self.followed(value, at, &read))
    }

    /// Returns a copy of what a reference leads to, while copies are allowed.
    fn target<'n>(&'n self, reference: &str, at: &Location<'_>) -> Option<(Location<'n>, Json)> {
        if !reference.starts_with('#') {
            return at.leave_out(format_args!(
                "`{reference}` points outside the document and is not followed"
            ));
        }
        let Some((place, found)) = self.schemas.resolve(reference) else {
            return at.leave_out(format_args!(
                "`{reference}` points to nothing in the document"
            ));
        };
        let Some(left) = self.budget.get().checked_sub(found.value_count()) else {
            return at.leave_out("the references of this document make it too large");
        };
        self.budget.set(left);
        Some((place, found.clone()))
    }
}

/// Merges the target of a reference with the members beside the reference.
fn merged(reference: Json, mut found: Json) -> Json {
    if let (Json::Object(beside), Json::Object(found)) = (reference, &mut found) {
        for (name, value) in beside {
            found.insert(name, value);
        }
    }
    found
}
