//! Reads back everything that the soak has written to the library.
//!
//! It goes through the procedures that any caller has, so that what callers see is compared, and not what
//! the database holds.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::call::{ExpectedCall, post};
use super::contract::{self, Outcome, Version};
use super::http::{Connection, Trouble};
use super::ledger::{Kind, WrittenRecord};
use super::world::World;
use crate::BoxError;

/// The number of calls in a batch.
const CALLS_PER_BATCH: u64 = 200;

/// The library's limit on the entries of a page.
const ENTRIES_PER_PAGE: u64 = 100;

/// The maximum number of cards to try, as a multiple of the number of members.
const MAX_CARDS_PER_MEMBER: u64 = 10;

/// The library's error for a card that belongs to no member.
const NO_SUCH_MEMBER: i64 = 1406;

/// Returns every record whose name marks it as the soak's.
pub(crate) fn all(world: &World, address: SocketAddr) -> Result<Vec<WrittenRecord>, BoxError> {
    let mut reader = RecordReader::connect(world, address)?;
    let mut written = reader.members()?;
    written.extend(reader.books()?);
    Ok(written)
}

fn failed(trouble: &Trouble) -> BoxError {
    BoxError::from(format!("cannot list the records: {trouble}"))
}

/// Lists records on a connection of its own.
struct RecordReader<'w> {
    world: &'w World,
    connection: Connection,
}

impl<'w> RecordReader<'w> {
    fn connect(world: &'w World, address: SocketAddr) -> Result<Self, BoxError> {
        let connection = Connection::open(address).map_err(|trouble| failed(&trouble))?;
        Ok(Self { world, connection })
    }

    /// Returns the soak's members, with all their loans, past ones too. Card numbers may have gaps, so cards
    /// are tried until all members are found.
    fn members(&mut self) -> Result<Vec<WrittenRecord>, BoxError> {
        let stats = self.ask(&[ExpectedCall::new("stats", json!({}))])?;
        let members = stats[0]["members"]
            .as_u64()
            .ok_or_else(|| BoxError::from("`stats` counts no members"))?;
        let mut written = Vec::new();
        let mut found = 0;
        let mut first = 1;
        while found < members {
            if first > MAX_CARDS_PER_MEMBER * (members + CALLS_PER_BATCH) {
                let missing = members - found;
                return Err(BoxError::from(format!("{missing} members have no card")));
            }
            let mut calls = Vec::new();
            for number in first..first + CALLS_PER_BATCH {
                let card = format!("L{number:06}");
                calls.push(ExpectedCall::new("member.get", json!({"card": card})));
                let loans = json!({"member": card, "limit": ENTRIES_PER_PAGE});
                calls.push(ExpectedCall::new("loan.list", loans));
            }
            let outcomes = self.outcomes(&calls)?;
            for of_card in outcomes.chunks(2) {
                if of_card[0] == Outcome::Error(NO_SUCH_MEMBER) {
                    continue;
                }
                found += 1;
                let results: Vec<Value> = of_card
                    .iter()
                    .cloned()
                    .map(result)
                    .collect::<Result<_, _>>()?;
                let loans = results.get(1).unwrap_or(&Value::Null);
                written.extend(of_member(&results[0]["member"], loans)?);
            }
            first += CALLS_PER_BATCH;
        }
        Ok(written)
    }

    fn books(&mut self) -> Result<Vec<WrittenRecord>, BoxError> {
        let mut written = Vec::new();
        let mut next = json!(0);
        while !next.is_null() {
            let query = json!({"subject": "soak", "offset": next, "limit": ENTRIES_PER_PAGE});
            let page = self
                .ask(&[ExpectedCall::new("book.find", query)])?
                .swap_remove(0);
            for book in page["books"].as_array().into_iter().flatten() {
                written.extend(WrittenRecord::read(Kind::Book, book));
            }
            next = page["page"]["next"].clone();
        }
        Ok(written)
    }

    /// Makes calls that cannot fail and returns their results.
    fn ask(&mut self, calls: &[ExpectedCall]) -> Result<Vec<Value>, BoxError> {
        self.outcomes(calls)?.into_iter().map(result).collect()
    }

    fn outcomes(&mut self, calls: &[ExpectedCall]) -> Result<Vec<Outcome>, BoxError> {
        let texts: Vec<_> = calls.iter().map(|call| call.text(Version::V2_0)).collect();
        let body = format!("[{}]", texts.join(","));
        let response = self
            .connection
            .send(&post(self.world, body.as_bytes()))
            .and_then(|()| self.connection.receive(false))
            .map_err(|trouble| failed(&trouble))?;
        Ok(contract::posted(&response, body.as_bytes())?)
    }
}

fn result(outcome: Outcome) -> Result<Value, BoxError> {
    match outcome {
        Outcome::Result(result) => Ok(result),
        Outcome::Error(code) => Err(BoxError::from(format!(
            "cannot list the records: error {code}"
        ))),
    }
}

/// Returns a member and the member's loans, if the soak created the member.
fn of_member(member: &Value, loans: &Value) -> Result<Vec<WrittenRecord>, BoxError> {
    let name = member["name"].as_str().unwrap_or_default();
    if !name.starts_with("Soak") {
        return Ok(Vec::new());
    }
    if !loans["page"]["next"].is_null() {
        return Err(BoxError::from(
            "a member with more loans than the soak requested",
        ));
    }
    let mut written: Vec<_> = WrittenRecord::read(Kind::Member, member)
        .into_iter()
        .collect();
    for loan in loans["loans"].as_array().into_iter().flatten() {
        written.extend(WrittenRecord::read(Kind::Loan, loan));
        written.extend(WrittenRecord::read(Kind::Return, loan));
    }
    Ok(written)
}
