//! Reads back everything that the soak has written to the library.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::call::{Call, post};
use super::contract::{self, Outcome, Version};
use super::http::{Connection, Trouble};
use super::ledger::{Kind, Written};
use super::world::World;
use crate::Failure;

/// The number of calls in a batch.
const AT_ONCE: u64 = 200;

/// The library's limit on the entries of a page.
const PAGE: u64 = 100;

/// The maximum number of cards to try, as a multiple of the number of members.
const GAPS: u64 = 10;

/// The library's error for a card that belongs to no member.
const NO_SUCH_MEMBER: i64 = 1406;

/// Returns every record whose name marks it as the soak's.
pub(crate) fn all(world: &World, address: SocketAddr) -> Result<Vec<Written>, Failure> {
    let mut asking = Asking::of(world, address)?;
    let mut written = asking.members(true)?;
    written.extend(asking.books()?);
    Ok(written)
}

/// Returns every member whose name marks it as the soak's, for a soak that writes nothing else.
pub(crate) fn members(world: &World, address: SocketAddr) -> Result<Vec<Written>, Failure> {
    Asking::of(world, address)?.members(false)
}

fn failed(trouble: &Trouble) -> Failure {
    Failure::from(format!("cannot list the records: {trouble}"))
}

struct Asking<'w> {
    world: &'w World,
    connection: Connection,
}

impl<'w> Asking<'w> {
    fn of(world: &'w World, address: SocketAddr) -> Result<Self, Failure> {
        let connection = Connection::open(address).map_err(|trouble| failed(&trouble))?;
        Ok(Self { world, connection })
    }

    /// Returns the soak's members, with all their loans, past ones too, if they have any. Card numbers
    /// may have gaps, so cards are tried until all members are found.
    fn members(&mut self, have_loans: bool) -> Result<Vec<Written>, Failure> {
        let stats = self.ask(&[Call::new("stats", json!({}))])?;
        let members = stats[0]["members"].as_u64();
        let members = members.ok_or_else(|| Failure::from("`stats` counts no members"))?;
        let (mut written, mut found, mut first) = (Vec::new(), 0, 1);
        while found < members {
            if first > GAPS * (members + AT_ONCE) {
                let missing = members - found;
                return Err(Failure::from(format!("{missing} members have no card")));
            }
            let cards = (first..first + AT_ONCE).map(|number| format!("L{number:06}"));
            let calls = cards.flat_map(|card| {
                let loans = json!({"member": card, "limit": PAGE});
                let member = Call::new("member.get", json!({"card": card}));
                let loans = have_loans.then(|| Call::new("loan.list", loans));
                [Some(member), loans].into_iter().flatten()
            });
            let shown = self.outcomes(&calls.collect::<Vec<_>>())?;
            for shown in shown.chunks(1 + usize::from(have_loans)) {
                if shown[0] == Outcome::Error(NO_SUCH_MEMBER) {
                    continue;
                }
                found += 1;
                let results = shown.iter().cloned().map(result);
                let results = results.collect::<Result<Vec<_>, _>>()?;
                let loans = results.get(1).unwrap_or(&Value::Null);
                written.extend(of_member(&results[0]["member"], loans)?);
            }
            first += AT_ONCE;
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

    /// Makes calls that cannot fail and returns their results.
    fn ask(&mut self, calls: &[Call]) -> Result<Vec<Value>, Failure> {
        self.outcomes(calls)?.into_iter().map(result).collect()
    }

    fn outcomes(&mut self, calls: &[Call]) -> Result<Vec<Outcome>, Failure> {
        let texts: Vec<_> = calls.iter().map(|call| call.text(Version::V2_0)).collect();
        let body = format!("[{}]", texts.join(","));
        let sent = self.connection.send(&post(self.world, body.as_bytes()));
        let answer = sent.and_then(|()| self.connection.receive(false));
        let answer = answer.map_err(|trouble| failed(&trouble))?;
        Ok(contract::posted(&answer, body.as_bytes())?)
    }
}

fn result(outcome: Outcome) -> Result<Value, Failure> {
    match outcome {
        Outcome::Result(result) => Ok(result),
        Outcome::Error(code) => Err(Failure::from(format!(
            "cannot list the records: error {code}"
        ))),
    }
}

/// Returns a member and the member's loans, if the soak created the member.
fn of_member(member: &Value, loans: &Value) -> Result<Vec<Written>, Failure> {
    let name = member["name"].as_str().unwrap_or_default();
    if !name.starts_with("Soak") {
        return Ok(Vec::new());
    }
    if !loans["page"]["next"].is_null() {
        return Err(Failure::from(
            "a member with more loans than the soak requested",
        ));
    }
    let mut written: Vec<_> = Written::read(Kind::Member, member).into_iter().collect();
    for loan in loans["loans"].as_array().into_iter().flatten() {
        written.extend(Written::read(Kind::Loan, loan));
        written.extend(Written::read(Kind::Return, loan));
    }
    Ok(written)
}
