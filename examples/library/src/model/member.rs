//! Members: the people who may borrow books.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Card, Date, Loan};

/// Somebody who may borrow books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Member {
    /// The number on the member's card.
    pub card: Card,
    /// The member's name.
    pub name: String,
    /// The day the member joined.
    pub joined: Date,
}

/// A member, named in passing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberRef {
    /// The number on the member's card.
    pub card: Card,
    /// The member's name.
    pub name: String,
}

/// A member together with what they have borrowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberDetails {
    /// The member.
    pub member: Member,
    /// The loans that have not ended, the first due first.
    pub open_loans: Vec<Loan>,
}

/// Admits a member, who gets a new card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddMember {
    /// The member's name.
    ///
    /// Two members may have the same one; their cards tell them apart.
    #[schemars(length(min = 1, max = 200), regex(pattern = r"\S"))]
    pub name: String,
}
