//! Calls that write. Every write creates something unique, so the final state shows which writes
//! were carried out, and how often.

use std::collections::VecDeque;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::call::ExpectedCall;
use crate::contract::Outcome;
use crate::ledger::Kind;
use crate::world::World;

/// The highest number of a book in the starting catalogue.
pub(super) const BOOK_COUNT: u32 = 700;

/// The number of items of each kind that a worker remembers.
const MAX_REMEMBERED: usize = 64;

/// A member who can borrow books.
struct Member {
    card: String,
    name: String,
    /// The next book to borrow. No book is borrowed twice.
    next: u32,
    borrowed: u32,
}

/// The knowledge of a worker about its own writes.
#[derive(Default)]
pub(super) struct Writer {
    members: VecDeque<Member>,
    /// Loans that are still open, as far as this worker knows.
    loans: VecDeque<u64>,
    /// Writes whose responses were lost, to be retried with the same key, and some finished
    /// writes with a key, to check that a retry has the same outcome.
    again: VecDeque<ExpectedCall>,
}

impl Writer {
    /// Returns the next write.
    pub(super) fn any(&mut self, rng: &mut Rng, world: &World) -> ExpectedCall {
        if let Some(call) = self.again.pop_front() {
            return call;
        }
        let call = match rng.u8(..20) {
            // Loans end more often than they begin, so that there are books to lend.
            0..7 => self.end_loan(),
            7..13 => self.start_loan(rng),
            13..15 => Some(add_book(world)),
            15 => Some(conflict(rng)),
            _ => None,
        };
        let call = call.unwrap_or_else(|| add_member(world));
        if rng.u8(..3) == 0 {
            call.keyed(world)
        } else {
            call
        }
    }

    /// Returns the card and the name of a random acknowledged member.
    pub(super) fn acknowledged_member(&self, rng: &mut Rng) -> Option<(String, String)> {
        let member = rng.choice(&self.members)?;
        Some((member.card.clone(), member.name.clone()))
    }

    /// Queues a write whose response was lost for a retry.
    pub(super) fn lost(&mut self, call: &ExpectedCall) {
        if call.is_again() {
            self.repeat(call.clone());
        }
    }

    /// Queues a call with a key for a retry if it has not ended, and sometimes if it has.
    pub(super) fn ended(&mut self, rng: &mut Rng, call: &ExpectedCall, outcome: &Outcome) {
        if call.key.is_none() {
            return;
        }
        if outcome.is_pending() {
            self.repeat(call.clone());
        } else if outcome.is_kept() && rng.u8(..3) == 0 {
            let before = Some(outcome.clone());
            let call = call.clone();
            self.repeat(ExpectedCall { before, ..call });
        }
    }

    fn repeat(&mut self, call: ExpectedCall) {
        if call.id.is_some() && self.again.len() < MAX_REMEMBERED {
            self.again.push_back(call);
        }
    }

    /// Updates the worker's knowledge from the response to a call. `None` stands for an error.
    pub(super) fn learn(&mut self, call: &ExpectedCall, result: Option<&Value>) {
        let (Some(write), Some(result), None) = (&call.write, result, &call.before) else {
            return;
        };
        match write.kind {
            Kind::Member => {
                let card = result["card"].as_str().unwrap_or_default();
                self.members.push_back(Member {
                    card: card.to_owned(),
                    name: write.key.clone(),
                    next: card
                        .bytes()
                        .fold(0, |sum, digit| (sum * 31 + u32::from(digit)) % BOOK_COUNT),
                    borrowed: 0,
                });
                self.members.truncate(MAX_REMEMBERED);
            }
            Kind::Loan => {
                self.loans.extend(result["id"].as_u64());
            }
            Kind::Book | Kind::Return => {}
        }
    }

    fn start_loan(&mut self, rng: &mut Rng) -> Option<ExpectedCall> {
        // Members who have borrowed enough make room for others.
        self.members.retain(|member| member.borrowed < 12);
        let place = rng.usize(..self.members.len().max(1));
        let member = self.members.get_mut(place)?;
        member.borrowed += 1;
        member.next = member.next % BOOK_COUNT + 1;
        let card = &member.card;
        let book = member.next;
        let key = format!("{card}/{book}");
        let call = ExpectedCall::new("loan.start", json!({"book": book, "member": card}))
            .writes(Kind::Loan, key)
            .may_fail(&[1409, 1411]);
        Some(call)
    }

    fn end_loan(&mut self) -> Option<ExpectedCall> {
        let loan = self.loans.pop_front()?;
        let key = loan.to_string();
        Some(ExpectedCall::new("loan.end", json!({"loan": loan})).writes(Kind::Return, key))
    }
}

/// Returns the call that adds a member.
pub(crate) fn add_member(world: &World) -> ExpectedCall {
    let name = format!("Soak member {}", world.serial());
    ExpectedCall::new("member.add", json!({"name": name})).writes(Kind::Member, name)
}

/// Returns the call that adds a book in twenty copies.
pub(crate) fn add_book(world: &World) -> ExpectedCall {
    let title = format!("Soak book {}", world.serial());
    let book = json!({"title": title, "language": "en", "subjects": ["soak"], "copies": 20});
    ExpectedCall::new("book.add", book).writes(Kind::Book, title)
}

/// Returns a write that the library cannot carry out, now or ever.
pub(crate) fn conflict(rng: &mut Rng) -> ExpectedCall {
    let calls = [
        ExpectedCall::new("loan.start", json!({"book": 1, "member": "L999999999"})).fails(&[1406]),
        ExpectedCall::new(
            "loan.start",
            json!({"book": 4_000_000_000_u32, "member": "L000001"}),
        )
        .fails(&[1404]),
        ExpectedCall::new("loan.end", json!({"loan": 4_000_000_000_u32})).fails(&[1407]),
        ExpectedCall::new(
            "loan.start",
            json!({"book": 1, "member": "L000001", "due": "1999-12-31"}),
        )
        .fails(&[1422]),
    ];
    let place = rng.usize(..calls.len());
    calls
        .into_iter()
        .nth(place)
        .unwrap_or_else(|| unreachable!())
}
