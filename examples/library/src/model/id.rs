//! Identifiers: numbers and short codes. Each has a type of its own, so that a loan's number cannot
//! be passed as a book's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of a book in the catalogue.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct BookId(#[schemars(range(min = 1))] pub u32);

/// The number of an author in the catalogue.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct AuthorId(#[schemars(range(min = 1))] pub u32);

/// The number of a loan.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct LoanId(#[schemars(range(min = 1))] pub u32);

/// The number on a member's library card: the letter L and at least six digits.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Card(#[schemars(regex(pattern = "^L[0-9]{6,10}$"))] pub String);

/// The code of a language: two letters of ISO 639-1 where it has them, otherwise three of
/// ISO 639-3.
///
/// `en` is English, `grc` is Ancient Greek.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Language(#[schemars(regex(pattern = "^[a-z]{2,3}$"))] pub String);

/// A subject or genre of a book, in lower-case English: `sea`, `short stories`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Subject(#[schemars(length(max = 40), regex(pattern = "^[a-z]+( [a-z]+)*$"))] pub String);
