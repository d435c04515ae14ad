//! Reads members and adds them.

use rusqlite::{OptionalExtension, Transaction, params};

use super::error::{Error, Result};
use super::once::once;
use super::{Store, loans};
use crate::model::{AddMember, Card, Date, LibraryError, Member, MemberDetails, NoSuchMember};

impl Store {
    /// Returns a member with the member's open loans.
    ///
    /// Fails with `NoSuchMember`.
    pub fn member(&self, card: &Card) -> Result<MemberDetails> {
        let today = self.today();
        self.read(|db| {
            let (id, member) = find(db, card)?;
            let open_loans = loans::open_loans(db, id, today)?;
            Ok(MemberDetails { member, open_loans })
        })
    }

    /// Adds a member, who gets a new card.
    ///
    /// Fails with `RequestIdReused`.
    pub fn add_member(&self, request: &AddMember) -> Result<Member> {
        self.write(|db| {
            let today = self.today();
            let name = request.request_id.as_ref();
            once(db, today, "member.add", name, request, || {
                insert(db, request.name.trim(), today)
            })
        })
    }
}

/// Returns the member with this card, and the member's key in the tables.
pub(super) fn find(db: &Transaction<'_>, card: &Card) -> Result<(i64, Member)> {
    db.prepare_cached("SELECT id, card, name, joined FROM members WHERE card = ?1")?
        .query_row([card], |row| {
            let member = Member {
                card: row.get(1)?,
                name: row.get(2)?,
                joined: row.get(3)?,
            };
            Ok((row.get(0)?, member))
        })
        .optional()?
        .ok_or_else(|| {
            Error::Refused(LibraryError::NoSuchMember(NoSuchMember {
                card: card.clone(),
            }))
        })
}

/// Inserts a member with the next card.
pub(super) fn insert(db: &Transaction<'_>, name: &str, joined: Date) -> Result<Member> {
    // Members are never deleted and only one transaction writes at a time, so the next number is
    // new.
    let id: i64 = db
        .prepare_cached("SELECT coalesce(max(id), 0) + 1 FROM members")?
        .query_row([], |row| row.get(0))?;
    let member = Member {
        card: Card(format!("L{id:06}")),
        name: name.to_owned(),
        joined,
    };
    db.prepare_cached("INSERT INTO members (id, card, name, joined) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![id, member.card, member.name, member.joined])?;
    Ok(member)
}
