//! The ledger: every write, and what the library told its caller about it.
//!
//! Until a response has arrived, a write may have taken effect or not, and both are right.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use serde_json::Value;

/// The kind of record that a write creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A member, keyed by name.
    Member,
    /// A book, keyed by title.
    Book,
    /// A loan, keyed by card and book. Each pair is lent at most once.
    Loan,
    /// The end of a loan, keyed by the loan's number.
    Return,
}

/// The knowledge of the caller about a write.
#[derive(Debug, Clone, PartialEq, Eq)]
enum WriteFate {
    /// The write was sent, but its response was lost: it may have taken effect once.
    Open,
    /// The write was acknowledged with this number: it took effect once.
    Done(String),
    /// The write was rejected: it did not take effect.
    Never,
}

/// A record in the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WrittenRecord {
    pub(crate) kind: Kind,
    pub(crate) key: String,
    /// The number that the library assigned.
    pub(crate) number: String,
}

impl WrittenRecord {
    /// Reads a record of this kind from a result or a list. Returns `None` if it does not show one.
    pub(crate) fn read(kind: Kind, record: &Value) -> Option<Self> {
        let id = record["id"].as_u64().map(|number| number.to_string());
        let (key, number) = match kind {
            Kind::Member => {
                let card = record["card"].as_str()?;
                (record["name"].as_str()?.to_owned(), card.to_owned())
            }
            Kind::Book => (record["title"].as_str()?.to_owned(), id?),
            Kind::Loan => (loan_key(record)?, id?),
            Kind::Return if record["returned"].is_string() => {
                loan_key(record)?;
                (id.clone()?, id?)
            }
            Kind::Return => return None,
        };
        Some(Self { kind, key, number })
    }
}

fn loan_key(loan: &Value) -> Option<String> {
    let card = loan["member"]["card"].as_str()?;
    Some(format!("{card}/{}", loan["book"]["id"].as_u64()?))
}

/// Every write that was sent and may take effect. The library must hold no record that is not here.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    writes: HashMap<(Kind, String), WriteFate>,
    acknowledged: u64,
}

impl Ledger {
    /// Records that a write is about to be sent, for the first time or again.
    pub(crate) fn send(&mut self, kind: Kind, key: &str) {
        self.writes
            .entry((kind, key.to_owned()))
            .or_insert(WriteFate::Open);
    }

    /// Records that a write was acknowledged.
    pub(crate) fn acknowledge(&mut self, written: WrittenRecord) -> Result<(), Finding> {
        let WrittenRecord { kind, key, number } = written;
        match self.writes.entry((kind, key)) {
            Entry::Occupied(mut entry) => match entry.get() {
                WriteFate::Open => {
                    entry.insert(WriteFate::Done(number));
                    self.acknowledged += 1;
                    Ok(())
                }
                WriteFate::Done(before) if *before == number => Ok(()),
                WriteFate::Done(_) => Err(Finding::new(entry.key(), "took effect twice")),
                WriteFate::Never => Err(Finding::new(
                    entry.key(),
                    "took effect after it was rejected",
                )),
            },
            Entry::Vacant(entry) => Err(Finding::new(entry.key(), "must not take effect")),
        }
    }

    /// Records an error which means that the write did not take effect.
    pub(crate) fn refuse(&mut self, kind: Kind, key: &str) -> Result<(), Finding> {
        match self.writes.insert((kind, key.to_owned()), WriteFate::Never) {
            Some(WriteFate::Done(_)) => Err(Finding::new(
                &(kind, key.to_owned()),
                "was acknowledged, then rejected on a retry",
            )),
            _ => Ok(()),
        }
    }

    /// Returns how many writes were acknowledged.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// Returns how many writes are open and how many were rejected.
    pub(crate) fn rest(&self) -> (usize, usize) {
        let mut open = 0;
        let mut rejected = 0;
        for fate in self.writes.values() {
            match fate {
                WriteFate::Open => open += 1,
                WriteFate::Never => rejected += 1,
                WriteFate::Done(_) => {}
            }
        }
        (open, rejected)
    }

    /// Compares the library's records with what it promised.
    pub(crate) fn audit(&self, there: &[WrittenRecord]) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut seen: HashMap<(Kind, String), &str> = HashMap::new();
        for WrittenRecord { kind, key, number } in there {
            let write = (*kind, key.clone());
            let wrong = match self.writes.get(&write) {
                None => Some("exists, but was never sent"),
                Some(WriteFate::Never) => Some("exists, but was rejected"),
                Some(WriteFate::Done(acknowledged)) if acknowledged != number => {
                    Some("exists with a number other than the acknowledged one")
                }
                Some(_) => None,
            };
            findings.extend(wrong.map(|wrong| Finding::new(&write, wrong)));
            if seen.contains_key(&write) {
                findings.push(Finding::new(&write, "exists twice"));
            }
            seen.insert(write, number);
        }
        for (write, fate) in &self.writes {
            if matches!(fate, WriteFate::Done(_)) && !seen.contains_key(write) {
                findings.push(Finding::new(write, "was acknowledged, but is lost"));
            }
        }
        findings
    }
}

/// A record that differs from what the library promised.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    kind: Kind,
    key: String,
    wrong: &'static str,
}

impl Finding {
    fn new((kind, key): &(Kind, String), wrong: &'static str) -> Self {
        Self {
            kind: *kind,
            key: key.clone(),
            wrong,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {}", self.kind, self.key, self.wrong)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a panic fails the test")]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(key: &str, number: &str) -> WrittenRecord {
        WrittenRecord {
            kind: Kind::Member,
            key: key.to_owned(),
            number: number.to_owned(),
        }
    }

    /// Returns a ledger with one write in each state: `done`, `open` and `never`.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        for key in ["done", "open", "refused"] {
            ledger.send(Kind::Member, key);
        }
        ledger.acknowledge(written("done", "1")).unwrap();
        ledger.refuse(Kind::Member, "refused").unwrap();
        ledger
    }

    fn wrong(there: &[WrittenRecord]) -> Vec<String> {
        ledger()
            .audit(there)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn an_open_write_may_take_effect_once_or_not_at_all() {
        assert!(wrong(&[written("done", "1")]).is_empty());
        assert!(wrong(&[written("open", "2"), written("done", "1")]).is_empty());
    }

    #[test]
    fn a_lost_write_is_found() {
        let findings = wrong(&[written("open", "2")]);
        assert_eq!(findings, [r#"Member "done" was acknowledged, but is lost"#]);
    }

    #[test]
    fn a_duplicate_write_is_found_whether_it_was_acknowledged_or_not() {
        let done = [written("done", "1"), written("done", "1")];
        assert_eq!(wrong(&done), [r#"Member "done" exists twice"#]);
        let open = [
            written("done", "1"),
            written("open", "2"),
            written("open", "3"),
        ];
        assert_eq!(wrong(&open), [r#"Member "open" exists twice"#]);
    }

    #[test]
    fn a_write_with_another_number_or_that_was_rejected_or_never_sent_is_found() {
        for (there, finding) in [
            (
                "done",
                "exists with a number other than the acknowledged one",
            ),
            ("refused", "exists, but was rejected"),
            ("unknown", "exists, but was never sent"),
        ] {
            let findings = wrong(&[written(there, "7"), written("done", "1")]);
            assert!(findings[0].contains(finding), "{there}: {findings:?}");
        }
    }

    #[test]
    fn a_response_that_contradicts_an_earlier_one_is_found() {
        let mut ledger = ledger();
        assert_eq!(ledger.acknowledge(written("done", "1")), Ok(()));
        for twice in ["done", "refused", "unknown"] {
            assert!(ledger.acknowledge(written(twice, "2")).is_err(), "{twice}");
        }
        assert!(ledger.refuse(Kind::Member, "done").is_err());
        assert_eq!(ledger.acknowledged(), 1);
    }

    #[test]
    fn only_an_ended_loan_shows_its_end() {
        let loan = |returned: Value| json!({"id": 7, "book": {"id": 3}, "member": {"card": "L000001"}, "returned": returned});
        let open = loan(Value::Null);
        assert_eq!(
            WrittenRecord::read(Kind::Loan, &open).unwrap().key,
            "L000001/3".to_owned()
        );
        assert_eq!(WrittenRecord::read(Kind::Return, &open), None);
        let ended = WrittenRecord::read(Kind::Return, &loan(json!("2026-03-02")));
        assert_eq!(ended.unwrap().key, "7");
    }
}
