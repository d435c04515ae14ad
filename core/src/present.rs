//! Parameters with three values: left out, null, and a value.
//!
//! serde cannot tell null from a member that is left out. `derive(Deserialize)` calls this function
//! for fields of type `Option<Option<T>>` that are marked with it.

use serde::{Deserialize, Deserializer};

/// Decodes a member that is present, even if it is null.
///
/// serde decodes null as `None`, as if the member had been left out. This function keeps the two apart: with it
/// and `#[serde(default)]`, an `Option<Option<T>>` is `None` if the member is left out, and `Some(None)` if it
/// is null. The attributes do this for arguments of the type `Option<Option<T>>` by themselves.
///
/// ```
/// use docent::present;
/// use serde::Deserialize;
///
/// /// Changes a loan.
/// #[derive(Debug, PartialEq, Deserialize)]
/// struct ChangeLoan {
///     loan: u64,
///     /// The new note; null removes it.
///     #[serde(default, deserialize_with = "present")]
///     note: Option<Option<String>>,
/// }
///
/// let change: ChangeLoan = serde_json::from_str(r#"{"loan": 7, "note": null}"#)?;
/// assert_eq!(change.note, Some(None));
/// let change: ChangeLoan = serde_json::from_str(r#"{"loan": 7}"#)?;
/// assert_eq!(change.note, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// The member is not a `T`.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
