//! What shows only in several calls: what a call changes, limits on calls, and keys.

use std::thread;
use std::time::{Duration, Instant};

use docent_describe::json::{Decimal, Json, Pointer};

use super::caller::{Form, keyed};
use super::judge::Verdict;
use super::lie::Lie;
use super::response::Outcome;
use super::run::{Runner, Stop};
use super::subject::Subject;
use super::task::{Expect, Trial};
use crate::check::rule::Rule;

/// How long to wait before further calls, in milliseconds: unevenly, so that a clock does not seem to
/// count.
const PAUSES: [u64; 4] = [3, 31, 0, 64];
/// How many calls a limit may allow that is tried.
const LARGEST_LIMIT: u64 = 100;
/// A method that no service has.
const UNKNOWN: &str = "docent.check.noSuchProcedure";

impl<'d> Runner<'_, 'd> {
    /// Whether a call of an idempotent procedure changes what the next one gives.
    pub(super) fn steady(&self, subject: &Subject<'d>, params: Option<Json>) -> Result<(), Stop> {
        if !subject.procedure.idempotent {
            return Ok(());
        }
        let trial = Trial::new(Form::Post, params, Expect::Taken);
        let mut outcomes = vec![self.end(subject, &trial)?, self.end(subject, &trial)?];
        if outcomes[0] == outcomes[1] {
            return Ok(());
        }
        for (others, pause) in PAUSES.into_iter().enumerate() {
            // A service that counts all of its calls is not changed by this one.
            for _ in 0..others {
                let message = super::caller::message(UNKNOWN, None, Some("1"));
                self.caller.post(&message).ok_or(Stop)?;
            }
            thread::sleep(Duration::from_millis(pause));
            outcomes.push(self.end(subject, &trial)?);
        }
        if let Some(how) = change(&outcomes) {
            let message = format!("it is marked idempotent, and {how}");
            let params = trial.params.as_ref();
            self.found(
                subject,
                Form::Post,
                params,
                Lie::new(Rule::Changes, message),
            );
        }
        Ok(())
    }

    /// How a call ends, if that is by a result or an error of its own.
    fn end(&self, subject: &Subject<'d>, trial: &Trial) -> Result<Outcome, Stop> {
        let response = self.call(subject, trial.form, trial.params.as_ref())?;
        match self.verdict(subject, trial, &response) {
            Verdict::Fine(outcome) => Ok(outcome),
            // What is wrong with it will be found in its turn.
            _ => Err(Stop),
        }
    }

    /// Whether more calls are accepted than the published limit allows.
    pub(super) fn limits(&self, subject: &Subject<'d>, params: Option<Json>) -> Result<(), Stop> {
        let limits = subject.procedure.limits.as_ref();
        let Some(rate) = limits.and_then(|limits| limits.rate.as_ref()) else {
            return Ok(());
        };
        if rate.calls > LARGEST_LIMIT || rate.per.is_zero() {
            return Ok(());
        }
        let trial = Trial::new(Form::Post, params, Expect::Taken);
        let start = Instant::now();
        let mut accepted = 0;
        loop {
            self.end(subject, &trial)?;
            accepted += 1;
            let passed = start.elapsed();
            if passed > rate.per {
                return Ok(());
            }
            // There may be two times in a row, in each of which as many calls are accepted.
            if accepted > 2 * rate.calls {
                break;
            }
        }
        let message = format!(
            "{} calls in {} s are published as the limit, and {accepted} in {} ms were accepted",
            rate.calls,
            rate.per.as_secs(),
            start.elapsed().as_millis()
        );
        let params = trial.params.as_ref();
        self.found(subject, Form::Post, params, Lie::new(Rule::Limit, message));
        Ok(())
    }

    /// Whether a call that comes again with its key is answered as it was first.
    pub(super) fn key(&self, subject: &Subject<'d>, params: Option<&Json>) -> Result<(), Stop> {
        let name = &subject.procedure.name;
        let key = format!("docent-check-{:016x}", fastrand::u64(..));
        let call = super::caller::message(name, params, Some("1"));
        let message = keyed(&call, &key);
        let mut results = Vec::new();
        for _ in 0..2 {
            let response = self.caller.post(&message).ok_or(Stop)?;
            match response.outcome(self.judge.is_docent) {
                Ok(outcome) => results.push(outcome),
                Err(_) => return Ok(()),
            }
        }
        let message = match &results[..] {
            [Outcome::Error { code: -32600, .. }, _] => {
                format!("a call with a key was answered with {}", results[0].shown())
            }
            [first @ Outcome::Result(_), second] if first != second => format!(
                "a call was answered with {}, and the same call with the same key with {}",
                first.shown(),
                second.shown()
            ),
            _ => return Ok(()),
        };
        self.found(subject, Form::Post, params, Lie::new(Rule::Key, message));
        Ok(())
    }
}

/// Says how outcomes of the same call depend on how often it was made, if they do. Some results change
/// by themselves.
fn change(outcomes: &[Outcome]) -> Option<String> {
    let shown = || {
        let first = outcomes.iter().take(3).map(Outcome::shown);
        first.collect::<Vec<_>>().join(", then ")
    };
    let (first, rest) = outcomes.split_first()?;
    if let (Outcome::Result(_), Outcome::Error { .. }) = (first, &rest[0])
        && rest.iter().all(|other| *other == rest[0])
    {
        return Some(format!("only the first call gave a result: {}", shown()));
    }
    let alternates = outcomes.windows(3).all(|three| three[0] == three[2]);
    if alternates {
        return Some(format!("each call undoes the one before: {}", shown()));
    }
    let results: Option<Vec<&Json>> = outcomes.iter().map(result).collect();
    let results = results?;
    let mut measures = Vec::new();
    measure(results[0], &Pointer::root(), &mut |place, _| {
        measures.push(place.clone());
    });
    let counts = |place: &&Pointer| {
        let sizes: Option<Vec<i128>> = results.iter().map(|it| size(it, place)).collect();
        sizes.is_some_and(|sizes| {
            let step = sizes[1].saturating_sub(sizes[0]);
            step != 0
                && sizes
                    .windows(2)
                    .all(|two| two[1].saturating_sub(two[0]) == step)
        })
    };
    measures.iter().find(counts)?;
    Some(format!(
        "each call changes what the next one gives: {}",
        shown()
    ))
}

fn result(outcome: &Outcome) -> Option<&Json> {
    match outcome {
        Outcome::Result(result) => Some(result),
        Outcome::Error { .. } => None,
    }
}

/// Visits what can count calls: whole numbers, and how long texts and lists are.
fn measure(value: &Json, place: &Pointer, visit: &mut dyn FnMut(&Pointer, i128)) {
    if let Some(size) = size_of(value) {
        visit(place, size);
    }
    match value {
        Json::Array(elements) => {
            for (at, element) in elements.iter().enumerate().take(20) {
                measure(element, &place.join(at), visit);
            }
        }
        Json::Object(members) => {
            for (name, value) in members {
                measure(value, &place.join(name), visit);
            }
        }
        _ => {}
    }
}

fn size(value: &Json, place: &Pointer) -> Option<i128> {
    size_of(Pointer::resolve(place.as_str(), value)?)
}

fn size_of(value: &Json) -> Option<i128> {
    match value {
        Json::Number(text) => Decimal::new(text).to_i128(),
        Json::String(text) => i128::try_from(text.len()).ok(),
        Json::Array(elements) => i128::try_from(elements.len()).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::change;
    use crate::check::live::response::Outcome;

    fn outcomes(texts: [&str; 6]) -> Vec<Outcome> {
        let outcome = |text: &str| match text.strip_prefix('!') {
            Some(code) => Outcome::Error {
                code: code.parse().expect("a code"),
                message: String::new(),
                data: None,
            },
            None => Outcome::Result(text.parse().expect("JSON")),
        };
        texts.map(outcome).into()
    }

    #[test]
    fn counting_toggling_and_using_up_are_told_from_what_changes_by_itself() {
        for changes in [
            ["1", "2", "3", "4", "5", "6"],
            ["[1,1]", "[1]", "[]", "[]", "[]", "[]"],
            [
                r#"{"a":[],"b":7}"#,
                r#"{"a":[1],"b":7}"#,
                r#"{"a":[1,1],"b":7}"#,
                r#"{"a":[1,1,1],"b":7}"#,
                r#"{"a":[1,1,1,1],"b":7}"#,
                r#"{"a":[1,1,1,1,1],"b":7}"#,
            ],
            ["true", "false", "true", "false", "true", "false"],
            ["1", "!7", "!7", "!7", "!7", "!7"],
        ] {
            let is_used_up = changes[0] == "[1,1]";
            assert_eq!(
                change(&outcomes(changes)).is_some(),
                !is_used_up,
                "{changes:?}"
            );
        }
        for steady in [
            ["100", "101", "104", "136", "137", "203"],
            ["1", "1", "2", "2", "2", "3"],
            ["0.3", "0.1", "0.7", "0.2", "0.9", "0.5"],
            ["1", "!7", "1", "1", "!7", "1"],
        ] {
            assert_eq!(change(&outcomes(steady)), None, "{steady:?}");
        }
    }
}
