//! Checks that repeat a call: whether it has effects, and whether limits are kept.
//!
//! These calls run alone, since others would hide the effect of a call. A result that changes by itself, such as a
//! time, must not look like an effect.

use std::thread;
use std::time::{Duration, Instant};

use docent_describe::json::{Decimal, Json};
use docent_describe::{ProcedureDescription, code};

use super::caller::{CallForm, TrialCall, message};
use super::checker::Checker;
use super::response::LiveOutcome;
use crate::check::rule::Rule;

/// The pauses between further calls, in milliseconds. They are uneven, so that a result that depends on
/// the clock does not look like a counter.
const PAUSES_MS: [u64; 4] = [3, 31, 0, 64];
/// A method that no service has.
const UNKNOWN_METHOD: &str = "docent.check.noSuchProcedure";

/// Checks whether a call of an idempotent procedure changes the outcome of the next one.
pub(super) fn steady(checker: &Checker<'_, '_>) -> Option<()> {
    let call = TrialCall::new(CallForm::Post, checker.tested.usual_params(), true);
    let mut outcomes = vec![checker.outcome(&call)?, checker.outcome(&call)?];
    if outcomes[0] == outcomes[1] {
        return Some(());
    }
    for (others, pause) in PAUSES_MS.into_iter().enumerate() {
        // Vary the number of calls in between: a count of all calls is not an effect of this
        // procedure.
        for _ in 0..others {
            checker.post(&message(UNKNOWN_METHOD, None, Some("1")))?;
        }
        thread::sleep(Duration::from_millis(pause));
        outcomes.push(checker.outcome(&call)?);
    }
    if let Some(how) = change(&outcomes) {
        let [first, second, third] = [0, 1, 2].map(|at| outcomes[at].summary());
        let message =
            format!("it is marked idempotent, and {how}: {first}, then {second}, then {third}");
        checker.broken(CallForm::Post, Rule::Changes, message);
    }
    Some(())
}

/// Returns the number of calls that exceed the limit of a procedure for certain.
pub(super) fn excessive(procedure: &ProcedureDescription) -> Option<usize> {
    let rate = procedure.limits.as_ref()?.rate.as_ref()?;
    // The calls may fall into two periods, each with the full limit.
    usize::try_from(rate.calls.saturating_mul(2).saturating_add(1)).ok()
}

/// Checks whether the service accepts more calls than the published limit allows, if the caller may
/// make enough. Limits on concurrent calls are not tried: nothing shows whether calls ran
/// concurrently or waited.
pub(super) fn rate_limit(checker: &Checker<'_, '_>) -> Option<()> {
    let rate = checker.tested.procedure.limits.as_ref()?.rate.as_ref()?;
    let excessive = excessive(checker.tested.procedure)?;
    if !checker.caller.has_room(excessive - 1) {
        return Some(());
    }
    let call = TrialCall::new(CallForm::Post, checker.tested.usual_params(), true);
    let start = Instant::now();
    for _ in 0..excessive {
        let response = checker.caller.call(checker.tested, &call)?.ok()?;
        let code = response
            .outcome(false)
            .ok()
            .and_then(|outcome| outcome.code());
        if response.status == 429 || code == Some(code::TOO_MANY_REQUESTS) {
            return Some(());
        }
        checker.check_response(&call, &response).ok()?;
        if start.elapsed() > rate.per {
            return Some(());
        }
    }
    let message = format!(
        "{} calls in {} s are published as the limit, and {excessive} in {} ms were accepted",
        rate.calls,
        rate.per.as_secs(),
        start.elapsed().as_millis()
    );
    checker.broken(CallForm::Post, Rule::Limit, message);
    Some(())
}

/// Describes how the outcomes of repeated calls depend on their number. Returns `None` if they do not,
/// or only change by themselves.
fn change(outcomes: &[LiveOutcome]) -> Option<&'static str> {
    let (first, rest) = outcomes.split_first()?;
    if let (LiveOutcome::Result(_), LiveOutcome::Error(_)) = (first, &rest[0])
        && rest.iter().all(|other| *other == rest[0])
    {
        return Some("only the first call gave a result");
    }
    if outcomes.windows(3).all(|three| three[0] == three[2]) {
        return Some("each call undoes the one before");
    }
    let mut results = Vec::new();
    for outcome in outcomes {
        let LiveOutcome::Result(result) = outcome else {
            return None;
        };
        results.push(result);
    }
    has_counter(&results).then_some("each call changes what the next one gives")
}

/// Returns whether the results of calls contain something that counts them: a whole number, or the
/// length of a text or an array, in the same place of each.
fn has_counter(values: &[&Json]) -> bool {
    let sizes: Vec<Vec<Option<i128>>> = values.iter().map(|value| sizes(value)).collect();
    let shortest = sizes.iter().map(Vec::len).min().unwrap_or(0);
    (0..shortest).any(|at| {
        let each: Option<Vec<i128>> = sizes.iter().map(|sizes| sizes[at]).collect();
        each.is_some_and(|each| has_steps(&each))
    })
}

/// Returns the sizes of a value and of those in it. An array that grows has its own size before those of its
/// elements, so the others up to it are at the same index each time.
fn sizes(value: &Json) -> Vec<Option<i128>> {
    let mut all = vec![size(value)];
    match value {
        Json::Array(elements) => all.extend(elements.iter().take(20).flat_map(sizes)),
        Json::Object(members) => all.extend(members.values().flat_map(sizes)),
        _ => {}
    }
    all
}

/// Returns whether the sizes rise or fall by the same amount each time.
fn has_steps(sizes: &[i128]) -> bool {
    let mut steps = sizes.windows(2).map(|two| two[1].saturating_sub(two[0]));
    let first = steps.next().unwrap_or(0);
    first != 0 && steps.all(|step| step == first)
}

/// Returns the value of a whole number, or the length of a text or an array.
fn size(value: &Json) -> Option<i128> {
    match value {
        Json::Number(text) => Decimal::new(text).to_i128(),
        Json::String(text) => Some(text.len() as i128),
        Json::Array(elements) => Some(elements.len() as i128),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::change;
    use crate::check::live::response::{LiveError, LiveOutcome};

    fn outcomes(texts: [&str; 6]) -> Vec<LiveOutcome> {
        let outcome = |text: &str| match text.strip_prefix('!') {
            Some(code) => LiveOutcome::Error(LiveError {
                code: code.parse().expect("a code"),
                message: String::new(),
                data: None,
            }),
            None => LiveOutcome::Result(text.parse().expect("JSON")),
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
