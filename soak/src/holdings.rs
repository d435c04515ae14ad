//! What is there, asked from the library itself: everything that a soak has written.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::call::{Call, post};
use super::contract::{self, Outcome, Version};
use super::http::{Connection, Trouble};
use super::ledger::{Kind, Written};
use super::world::World;
use crate::Failure;

/// How many calls are asked in one batch.
const AT_ONCE: u64 = 200;

/// How many entries a page of the library has at most.
const PAGE: u64 = 100;

/// Everything there is that begins with what a soak calls its things.
pub(crate) fn all(world: &World, address: SocketAddr) -> Result<Vec<Written>, Failure> {
    let connection = Connection::open(address).map_err(|trouble| failed(&trouble))?;
    let mut asking = Asking { world, connection };
    let mut written = asking.members()?;
    written.extend(asking.books()?);
    Ok(written)
}

fn failed(trouble: &Trouble) -> Failure {
    Failure::from(format!("asking what is there: {trouble}"))
}

struct Asking<'w> {
    world: &'w World,
    connection: Connection,
}

impl Asking<'_> {
    /// Members, each with all loans there ever were. Cards are numbered without gaps.
    fn members(&mut self) -> Result<Vec<Written>, Failure> {
        let stats = self.ask(&[Call::new("stats", json!({}))])?;
        let members = stats[0]["members"].as_u64();
        let members = members.ok_or_else(|| Failure::from("`stats` counts no members"))?;
        let mut written = Vec::new();
        let mut first = 1;
        while first <= members {
            let last = members.min(first + AT_ONCE - 1);
            let cards = (first..=last).map(|number| format!("L{number:06}"));
            let calls = cards.flat_map(|card| {
                let loans = json!({"member": card, "limit": PAGE});
                let member = Call::new("member.get", json!({"card": card}));
                [member, Call::new("loan.list", loans)]
            });
            let shown = self.ask(&calls.collect::<Vec<_>>())?;
            for pair in shown.chunks(2) {
                written.extend(of_member(&pair[0]["member"], &pair[1])?);
            }
            first = last + 1;
        }
        Ok(written)
    }

    fn books(&mut self) -> Result<Vec<Written>, Failure> {
        let mut written = Vec::new();
        let mut next = json!(0);
        while !next.is_null() {
            let query = json!({"subject": "soak", "offset": next, "limit": PAGE});
            let page = self.ask(&[Call::new("book.find", query)])?.swap_remove(0);
            let books = page["books"].as_array().into_iter().flatten();
            written.extend(books.filter_map(|book| Written::read(Kind::Book, book)));
            next = page["page"]["next"].clone();
        }
        Ok(written)
    }

    /// The results of calls that cannot fail.
    fn ask(&mut self, calls: &[Call]) -> Result<Vec<Value>, Failure> {
        let texts: Vec<_> = calls.iter().map(|call| call.text(Version::V2_0)).collect();
        let body = format!("[{}]", texts.join(","));
        let sent = self.connection.send(&post(self.world, body.as_bytes()));
        let answer = sent.and_then(|()| self.connection.receive(false));
        let answer = answer.map_err(|trouble| failed(&trouble))?;
        let outcomes = contract::posted(&answer, body.as_bytes())?;
        let results = outcomes.into_iter().map(|outcome| match outcome {
            Outcome::Result(result) => Ok(result),
            Outcome::Error(code) => {
                Err(Failure::from(format!("asking what is there: error {code}")))
            }
        });
        results.collect()
    }
}

/// A member and the loans to the member, where a soak has made them.
fn of_member(member: &Value, loans: &Value) -> Result<Vec<Written>, Failure> {
    let name = member["name"].as_str().unwrap_or_default();
    if !name.starts_with("Soak") {
        return Ok(Vec::new());
    }
    if !loans["page"]["next"].is_null() {
        return Err(Failure::from(
            "a member with more loans than were ever asked for",
        ));
    }
    let mut written: Vec<_> = Written::read(Kind::Member, member).into_iter().collect();
    for loan in loans["loans"].as_array().into_iter().flatten() {
        written.extend(Written::read(Kind::Loan, loan));
        written.extend(Written::read(Kind::Return, loan));
    }
    Ok(written)
}
