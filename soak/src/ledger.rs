//! What was promised: every write, and what its caller was told of it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use serde_json::Value;

/// What a write makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A member; the key is the name.
    Member,
    /// A book; the key is the title.
    Book,
    /// A loan; the key is the card and the book, a pair that is lent once at most.
    Loan,
    /// The end of a loan; the key is the loan's number.
    Return,
}

/// What is known of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    /// It was sent and its answer was lost: it may be there once.
    Open,
    /// It was acknowledged, under that number: it is there once.
    Done(String),
    /// It was refused: it is not there.
    Never,
}

/// Something that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) kind: Kind,
    pub(crate) key: String,
    /// The number that the library gave it.
    pub(crate) number: String,
}

impl Written {
    /// What an answer or a list has of a kind; none where that is not what it shows.
    pub(crate) fn read(kind: Kind, shown: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let digits = |value: &Value| value.as_u64().map(|number| number.to_string());
        let loan = || {
            let card = shown["member"]["card"].as_str()?;
            Some(format!("{card}/{}", shown["book"]["id"].as_u64()?))
        };
        let (key, number) = match kind {
            Kind::Member => (text(&shown["name"])?, text(&shown["card"])?),
            Kind::Book => (text(&shown["title"])?, digits(&shown["id"])?),
            Kind::Loan => (loan()?, digits(&shown["id"])?),
            Kind::Return => {
                loan().filter(|_| shown["returned"].is_string())?;
                (digits(&shown["id"])?, digits(&shown["id"])?)
            }
        };
        Some(Self { kind, key, number })
    }
}

/// Every write that was sent and may be carried out. What is there and not here must not be there.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    writes: HashMap<(Kind, String), Fate>,
    acknowledged: u64,
}

impl Ledger {
    /// A write is about to be sent, for the first time or again.
    pub(crate) fn send(&mut self, kind: Kind, key: &str) {
        let entry = self.writes.entry((kind, key.to_owned()));
        entry.or_insert(Fate::Open);
    }

    /// A write was acknowledged.
    pub(crate) fn acknowledge(&mut self, written: Written) -> Result<(), Finding> {
        let Written { kind, key, number } = written;
        match self.writes.entry((kind, key)) {
            Entry::Occupied(mut entry) => match entry.get() {
                Fate::Open => {
                    entry.insert(Fate::Done(number));
                    self.acknowledged += 1;
                    Ok(())
                }
                Fate::Done(before) if *before == number => Ok(()),
                Fate::Done(_) => Err(Finding::new(entry.key(), "was done twice")),
                Fate::Never => Err(Finding::new(entry.key(), "was refused before, and is done")),
            },
            Entry::Vacant(entry) => Err(Finding::new(entry.key(), "was not to be done")),
        }
    }

    /// A write was answered with an error that means that nothing was done.
    pub(crate) fn refuse(&mut self, kind: Kind, key: &str) -> Result<(), Finding> {
        match self.writes.insert((kind, key.to_owned()), Fate::Never) {
            Some(Fate::Done(_)) => Err(Finding::new(
                &(kind, key.to_owned()),
                "was acknowledged, and then refused when it was asked for again",
            )),
            _ => Ok(()),
        }
    }

    /// How many writes were acknowledged.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// How many writes are open, and how many were refused.
    pub(crate) fn rest(&self) -> (usize, usize) {
        let count = |fate| self.writes.values().filter(|it| **it == fate).count();
        (count(Fate::Open), count(Fate::Never))
    }

    /// Compares what was promised with what is there.
    pub(crate) fn audit(&self, there: &[Written]) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut seen: HashMap<(Kind, String), &str> = HashMap::new();
        for Written { kind, key, number } in there {
            let write = (*kind, key.clone());
            let wrong = match self.writes.get(&write) {
                None => Some("is there, and was not to be"),
                Some(Fate::Never) => Some("is there, and was refused"),
                Some(Fate::Done(told)) if told != number => {
                    Some("is there under another number than was acknowledged")
                }
                Some(_) => None,
            };
            findings.extend(wrong.map(|wrong| Finding::new(&write, wrong)));
            if seen.contains_key(&write) {
                findings.push(Finding::new(&write, "is there twice"));
            }
            seen.insert(write, number);
        }
        for (write, fate) in &self.writes {
            if matches!(fate, Fate::Done(_)) && !seen.contains_key(write) {
                findings.push(Finding::new(write, "was acknowledged, and is lost"));
            }
        }
        findings
    }
}

/// A write that is not what was promised.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    kind: Kind,
    key: String,
    wrong: &'static str,
}

impl Finding {
    fn new((kind, key): &(Kind, String), wrong: &'static str) -> Self {
        let (kind, key) = (*kind, key.clone());
        Self { kind, key, wrong }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {:?} {}", self.kind, self.key, self.wrong)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(key: &str, number: &str) -> Written {
        Written {
            kind: Kind::Member,
            key: key.to_owned(),
            number: number.to_owned(),
        }
    }

    /// One write of each fate: `done`, `open` and `never`.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        for key in ["done", "open", "refused"] {
            ledger.send(Kind::Member, key);
        }
        ledger.acknowledge(written("done", "1")).unwrap();
        ledger.refuse(Kind::Member, "refused").unwrap();
        ledger
    }

    fn wrong(there: &[Written]) -> Vec<String> {
        let findings = ledger().audit(there);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_open_may_be_there_once_or_not_at_all() {
        assert!(wrong(&[written("done", "1")]).is_empty());
        assert!(wrong(&[written("open", "2"), written("done", "1")]).is_empty());
    }

    #[test]
    fn a_lost_write_is_found() {
        let findings = wrong(&[written("open", "2")]);
        assert_eq!(findings, [r#"Member "done" was acknowledged, and is lost"#]);
    }

    #[test]
    fn a_write_that_is_there_twice_is_found_whether_it_was_acknowledged_or_not() {
        let done = [written("done", "1"), written("done", "1")];
        assert_eq!(wrong(&done), [r#"Member "done" is there twice"#]);
        let open = [
            written("done", "1"),
            written("open", "2"),
            written("open", "3"),
        ];
        assert_eq!(wrong(&open), [r#"Member "open" is there twice"#]);
    }

    #[test]
    fn a_write_under_another_number_or_that_was_refused_or_never_sent_is_found() {
        for (there, finding) in [
            (
                "done",
                "is there under another number than was acknowledged",
            ),
            ("refused", "is there, and was refused"),
            ("unknown", "is there, and was not to be"),
        ] {
            let findings = wrong(&[written(there, "7"), written("done", "1")]);
            assert!(findings[0].contains(finding), "{there}: {findings:?}");
        }
    }

    #[test]
    fn an_answer_that_contradicts_an_earlier_one_is_found() {
        let mut ledger = ledger();
        assert_eq!(ledger.acknowledge(written("done", "1")), Ok(()));
        for twice in ["done", "refused", "unknown"] {
            assert!(ledger.acknowledge(written(twice, "2")).is_err(), "{twice}");
        }
        assert!(ledger.refuse(Kind::Member, "done").is_err());
        assert_eq!(ledger.acknowledged(), 1);
    }

    #[test]
    fn only_a_loan_that_has_ended_shows_its_end() {
        let loan = |returned: Value| json!({"id": 7, "book": {"id": 3}, "member": {"card": "L000001"}, "returned": returned});
        let open = loan(Value::Null);
        assert_eq!(
            Written::read(Kind::Loan, &open).unwrap().key,
            "L000001/3".to_owned()
        );
        assert_eq!(Written::read(Kind::Return, &open), None);
        let ended = Written::read(Kind::Return, &loan(json!("2026-03-02")));
        assert_eq!(ended.unwrap().key, "7");
    }
}
