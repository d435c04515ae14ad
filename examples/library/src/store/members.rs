//! Reads members and adds them.

use super::db::Db;
use super::error::{Error, Result};
use super::value::values;
use super::{Store, WriteTransaction, loans};
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
}

impl WriteTransaction<'_> {
    /// Adds a member, who gets a new card.
    pub fn add_member(&self, request: &AddMember) -> Result<Member> {
        insert(self.db, request.name.trim(), self.today)
    }
}

/// Returns the member with this card, and the member's key in the tables.
pub(super) fn find(db: &Db<'_>, card: &Card) -> Result<(i64, Member)> {
    let found = db.first(
        "SELECT id, card, name, joined FROM members WHERE card = ?1",
        values![card],
        |row| {
            let member = Member {
                card: row.get(1)?,
                name: row.get(2)?,
                joined: row.get(3)?,
            };
            Ok((row.get(0)?, member))
        },
    )?;
    found.ok_or_else(|| {
        Error::Library(LibraryError::NoSuchMember(NoSuchMember {
            card: card.clone(),
        }))
    })
}

/// Inserts a member with the next card.
pub(super) fn insert(db: &Db<'_>, name: &str, joined: Date) -> Result<Member> {
    let id: i64 = db.one(db.dialect().next_member, &[])?;
    let member = Member {
        card: Card(format!("L{id:06}")),
        name: name.to_owned(),
        joined,
    };
    db.execute(
        "INSERT INTO members (id, card, name, joined) VALUES (?1, ?2, ?3, ?4)",
        values![id, &member.card, member.name.as_str(), member.joined],
    )?;
    Ok(member)
}
