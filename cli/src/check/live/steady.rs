//! Checks that take several calls: effects of a call, limits on calls, and keys.

use std::thread;
use std::time::{Duration, Instant};

use docent_describe::json::{Decimal, Json};

use super::caller::{Form, keyed, message};
use super::judge::Verdict;
use super::lie::Lie;
use super::response::Outcome;
use super::run::{Runner, Stop};
use super::subject::Subject;
use super::task::{Expect, Trial};
use crate::check::rule::Rule;

/// The pauses between further calls, in milliseconds. They are uneven, so that a result that depends on
/// the clock does not look like a counter.
const PAUSES: [u64; 4] = [3, 31, 0, 64];
/// A method that no service has.
const UNKNOWN: &str = "docent.check.noSuchProcedure";

impl<'d> Runner<'_, 'd> {
    /// Checks whether a call of an idempotent procedure changes the outcome of the next one.
    pub(super) fn steady(&self, subject: &Subject<'d>, params: Option<Json>) -> Result<(), Stop> {
        let trial = Trial::new(Form::Post, params, Expect::Taken);
        let mut outcomes = vec![self.end(subject, &trial)?, self.end(subject, &trial)?];
        if outcomes[0] == outcomes[1] {
            return Ok(());
        }
        for (others, pause) in PAUSES.into_iter().enumerate() {
            // Vary the number of calls in between: a count of all calls is not an effect of this
            // procedure.
            for _ in 0..others {
                let call = message(UNKNOWN, None, Some("1"));
                self.caller.post(&call).ok_or(Stop)?;
            }
            thread::sleep(Duration::from_millis(pause));
            outcomes.push(self.end(subject, &trial)?);
        }
        if let Some(how) = change(&outcomes) {
            let message = format!("it is marked idempotent, and {how}");
            let lie = Lie::new(Rule::Changes, message);
            self.found(subject, Form::Post, trial.params.as_ref(), lie);
        }
        Ok(())
    }

    /// Returns the outcome of a call if it is correct.
    fn end(&self, subject: &Subject<'d>, trial: &Trial) -> Result<Outcome, Stop> {
        match self.judged(subject, trial)? {
            Verdict::Fine(outcome) => Ok(outcome),
            // Another call will report the problem.
            _ => Err(Stop),
        }
    }

    /// Checks whether the service accepts more calls than the published limit allows, if the caller may
    /// make enough. Limits on concurrent calls are not tried: nothing shows whether calls ran
    /// concurrently or waited.
    pub(super) fn limits(&self, subject: &Subject<'d>, params: Option<Json>) -> Result<(), Stop> {
        let limits = subject.procedure.limits.as_ref();
        let Some(rate) = limits.and_then(|limits| limits.rate.as_ref()) else {
            return Ok(());
        };
        // The calls may fall into two periods, each with the full limit.
        let excessive = rate.calls.saturating_mul(2).saturating_add(1);
        if !self.caller.has_room(excessive, rate.per) {
            return Ok(());
        }
        let trial = Trial::new(Form::Post, params, Expect::Taken);
        let start = Instant::now();
        for _ in 0..excessive {
            self.end(subject, &trial)?;
            if start.elapsed() > rate.per {
                return Ok(());
            }
        }
        let message = format!(
            "{} calls in {} s are published as the limit, and {excessive} in {} ms were accepted",
            rate.calls,
            rate.per.as_secs(),
            start.elapsed().as_millis()
        );
        let lie = Lie::new(Rule::Limit, message);
        self.found(subject, Form::Post, trial.params.as_ref(), lie);
        Ok(())
    }

    /// Checks whether a call that is repeated with its key gets the same result as the first one.
    pub(super) fn key(&self, subject: &Subject<'d>, params: Option<&Json>) -> Result<(), Stop> {
        let name = &subject.procedure.name;
        let key = format!("docent-check-{:016x}", fastrand::u64(..));
        let call = keyed(&message(name, params, Some("1")), &key);
        let mut results = Vec::new();
        for _ in 0..2 {
            let response = self.caller.post(&call).ok_or(Stop)?;
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

/// Describes how the outcomes of repeated calls depend on their number. Returns `None` if they do not,
/// or only change by themselves.
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
    has_counter(&results).then(|| format!("each call changes what the next one gives: {}", shown()))
}

fn result(outcome: &Outcome) -> Option<&Json> {
    match outcome {
        Outcome::Result(result) => Some(result),
        Outcome::Error { .. } => None,
    }
}

/// Returns whether the results of calls contain something that counts them: a whole number, or the
/// length of a text or an array, in the same place of each.
fn has_counter(values: &[&Json]) -> bool {
    let sizes: Option<Vec<i128>> = values.iter().map(|value| size(value)).collect();
    if sizes.is_some_and(|sizes| has_steps(&sizes)) {
        return true;
    }
    let inner = |part: &dyn Fn(&Json) -> Option<&Json>| {
        let parts: Option<Vec<&Json>> = values.iter().map(|value| part(value)).collect();
        parts.is_some_and(|parts| has_counter(&parts))
    };
    match values {
        [Json::Array(first), ..] => {
            let mut places = 0..first.len().min(20);
            places.any(|at| inner(&|value| value.as_array()?.get(at)))
        }
        [Json::Object(first), ..] => first.keys().any(|name| inner(&|value| value.get(name))),
        _ => false,
    }
}

/// Returns whether the sizes rise or fall by the same amount each time.
fn has_steps(sizes: &[i128]) -> bool {
    let mut steps = sizes.windows(2).map(|two| two[1].saturating_sub(two[0]));
    let first = steps.next().unwrap_or(0);
    first != 0 && steps.all(|step| step == first)
}

fn size(value: &Json) -> Option<i128> {
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
            assert!(change(&outcomes(changes)).is_some(), "{changes:?}");
        }
        for steady in [
            ["[1,1]", "[1]", "[]", "[]", "[]", "[]"],
            ["100", "101", "104", "136", "137", "203"],
            ["1", "1", "2", "2", "2", "3"],
            ["0.3", "0.1", "0.7", "0.2", "0.9", "0.5"],
            ["1", "!7", "1", "1", "!7", "1"],
        ] {
            assert_eq!(change(&outcomes(steady)), None, "{steady:?}");
        }
    }
}
