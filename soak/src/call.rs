//! One call: how it is written, and what follows from its answer.

use serde_json::Value;

use super::contract::{Outcome, Version, code};
use super::http::{Request, request};
use super::ledger::{Kind, Written};
use super::world::World;

/// What a call changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) kind: Kind,
    pub(crate) key: String,
}

/// A call.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) procedure: &'static str,
    pub(crate) params: Value,
    /// The text of its id; none makes a notification in 2.0.
    pub(crate) id: Option<String>,
    pub(crate) write: Option<Write>,
    /// Errors that it may be answered with.
    pub(crate) errors: &'static [i64],
    /// Whether it has to be answered with one of them.
    pub(crate) fails: bool,
    /// A member of the result and what it has to be.
    pub(crate) shows: Option<(&'static str, Value)>,
}

/// What may happen to every call.
const ALWAYS: [i64; 3] = [code::TIMED_OUT, code::BUSY, 1503];

impl Call {
    pub(crate) fn new(procedure: &'static str, params: Value) -> Self {
        Self {
            procedure,
            params,
            id: Some("1".to_owned()),
            write: None,
            errors: &[],
            fails: false,
            shows: None,
        }
    }

    pub(crate) fn writes(mut self, kind: Kind, key: String) -> Self {
        self.write = Some(Write { kind, key });
        self
    }

    pub(crate) fn may_fail(mut self, errors: &'static [i64]) -> Self {
        self.errors = errors;
        self
    }

    pub(crate) fn fails(mut self, errors: &'static [i64]) -> Self {
        self.fails = true;
        self.may_fail(errors)
    }

    pub(crate) fn shows(mut self, pointer: &'static str, value: impl Into<Value>) -> Self {
        self.shows = Some((pointer, value.into()));
        self
    }

    /// The request's text.
    pub(crate) fn text(&self, version: Version) -> String {
        let version = if version == Version::V1_1 {
            r#""version":"1.1""#
        } else {
            r#""jsonrpc":"2.0""#
        };
        let (procedure, params) = (self.procedure, &self.params);
        let call = format!(r#"{{{version},"method":"{procedure}","params":{params}"#);
        match &self.id {
            Some(id) => format!("{call},\"id\":{id}}}"),
            None => format!("{call}}}"),
        }
    }

    /// Notes that it is about to be sent.
    pub(crate) fn note(&self, world: &World) {
        if let Some(Write { kind, key }) = &self.write {
            world.ledger().send(*kind, key);
        }
    }

    /// Looks at what it came to and notes what was promised; gives the result.
    pub(crate) fn settle(&self, world: &World, outcome: Outcome) -> Option<Value> {
        match outcome {
            Outcome::Result(result) => {
                self.succeeded(world, &result);
                Some(result)
            }
            Outcome::Error(code) => {
                self.failed(world, code);
                None
            }
        }
    }

    fn succeeded(&self, world: &World, result: &Value) {
        let call = self.text(Version::V2_0);
        if self.fails {
            world.found(format!("{call} had to fail, and has {result}"));
        }
        if let Some((pointer, value)) = &self.shows
            && result.pointer(pointer) != Some(value)
        {
            world.found(format!("{call}: {pointer} is not {value} in {result}"));
        }
        let Some(Write { kind, key }) = &self.write else {
            return;
        };
        match Written::read(*kind, result).filter(|written| written.key == *key) {
            Some(written) => {
                let told = world.ledger().acknowledge(written);
                if let Err(finding) = told {
                    world.found(finding.to_string());
                }
            }
            None => world.found(format!("{call} has the result {result}")),
        }
    }

    fn failed(&self, world: &World, code: i64) {
        world.tally().error(code);
        if !ALWAYS.contains(&code) && !self.errors.contains(&code) {
            let call = self.text(Version::V2_0);
            world.found(format!("{call} was answered with {code}"));
        }
        // A write that has timed out goes on, so its outcome is unknown. An error says that nothing was done
        // this time; when the write was sent before, only an error of the library itself says that
        // nothing was done then.
        let Some(Write { kind, key }) = &self.write else {
            return;
        };
        if code == code::TIMED_OUT || self.is_again() && ALWAYS.contains(&code) {
            return;
        }
        if let Err(finding) = world.ledger().refuse(*kind, key) {
            world.found(finding.to_string());
        }
    }

    /// Whether it begins a loan. It needs an answer: a loan whose number is unknown is never ended, and
    /// its copy is never lent again.
    pub(crate) fn lends(&self) -> bool {
        let write = self.write.as_ref();
        write.is_some_and(|write| write.kind == Kind::Loan)
    }

    /// Whether it may have been sent before: it has a name by which the library would know.
    fn is_again(&self) -> bool {
        self.params.get("request_id").is_some()
    }
}

/// POST of a body, with the token that writes need.
pub(crate) fn post(world: &World, body: &[u8]) -> Vec<u8> {
    post_with(world, &[("Content-Type", "application/json")], body)
}

/// POST of a body with these header fields, and the token that writes need.
pub(crate) fn post_with(world: &World, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    request("POST", "/rpc", &with_token(world, headers), Some(body))
}

fn with_token<'a>(world: &'a World, headers: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![("Authorization", world.credential.as_str())];
    all.extend_from_slice(headers);
    all
}

/// The same in chunks of that size.
pub(crate) fn post_in_chunks(world: &World, body: &[u8], size: usize) -> Vec<u8> {
    let mut request = Request::post("/rpc", body);
    request.headers = with_token(world, &request.headers);
    request.chunked(size)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn write() -> Call {
        let call = Call::new("member.add", json!({"name": "Soak 1"}));
        call.writes(Kind::Member, "Soak 1".to_owned())
    }

    /// How many findings the answers to a call make, one after the other.
    fn findings(call: &Call, outcomes: impl IntoIterator<Item = Outcome>) -> u64 {
        let world = World::new(1, Duration::from_secs(18));
        call.note(&world);
        for outcome in outcomes {
            call.settle(&world, outcome);
        }
        world.findings()
    }

    fn member(name: &str, card: &str) -> Outcome {
        Outcome::Result(json!({"name": name, "card": card}))
    }

    #[test]
    fn an_acknowledgement_is_of_the_write_that_was_sent_and_stays_the_same() {
        assert_eq!(findings(&write(), [member("Soak 1", "L1")]), 0);
        assert_eq!(findings(&write(), [member("Soak 2", "L1")]), 1);
        assert_eq!(findings(&write(), [Outcome::Result(json!(null))]), 1);
        let again = [member("Soak 1", "L1"), member("Soak 1", "L1")];
        assert_eq!(findings(&write(), again), 0);
        let twice = [member("Soak 1", "L1"), member("Soak 1", "L2")];
        assert_eq!(findings(&write(), twice), 1);
    }

    #[test]
    fn only_errors_that_are_expected_are_right() {
        let busy = Outcome::Error(code::BUSY);
        assert_eq!(findings(&write(), [busy.clone()]), 0);
        assert_eq!(findings(&write(), [Outcome::Error(1404)]), 1);
        let failing = || Call::new("book.get", json!({"book": 9})).fails(&[1404]);
        assert_eq!(findings(&failing(), [Outcome::Error(1404)]), 0);
        assert_eq!(findings(&failing(), [busy]), 0);
        assert_eq!(findings(&failing(), [Outcome::Result(json!({}))]), 1);
        let shows = Call::new("book.get", json!([7])).shows("/book/id", 7);
        let book = |id| Outcome::Result(json!({"book": {"id": id}}));
        assert_eq!(findings(&shows, [book(7)]), 0);
        assert_eq!(findings(&shows, [book(8)]), 1);
    }

    #[test]
    fn what_was_refused_is_not_done_afterwards_unless_nobody_could_know() {
        let done = member("Soak 1", "L1");
        let after = |error, call: &Call| findings(call, [Outcome::Error(error), done.clone()]);
        assert_eq!(after(code::BUSY, &write()), 1);
        assert_eq!(after(code::TIMED_OUT, &write()), 0);
        let mut named = write();
        named.params["request_id"] = json!("soak-1");
        assert_eq!(after(code::BUSY, &named), 0);
    }
}
