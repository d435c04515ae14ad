//! Tries whether a service reads values as their schema does: a text is no Boolean, and 20.0 is an integer.
//!
//! Other services and clients read them otherwise than such a service, so these are warnings.

use docent_describe::json::{Json, Object};

use super::caller::{CallForm, TrialCall};
use super::checker::Checker;
use super::response::LiveOutcome;
use super::task::RuleCheck;
use super::tested::{TestedProcedure, ValuePool};
use crate::check::finding::Finding;
use crate::check::rule::Rule;

/// The maximum number of digits of an integer that every language can also write as a fraction.
const MAX_DIGITS: usize = 15;

/// Returns the checks that apply to the parameters of a procedure.
pub(super) fn coercion_checks(tested: &TestedProcedure<'_>) -> impl Iterator<Item = RuleCheck> {
    let has_booleans = tested.pools.iter().any(has_boolean);
    let has_integers = tested.pools.iter().any(|pool| integer(pool).is_some());
    let checks: [(bool, RuleCheck); 2] = [
        (has_booleans, text_for_boolean),
        (has_integers, integer_as_fraction),
    ];
    let checks = checks.into_iter().filter(|(applies, _)| *applies);
    checks.map(|(_, check)| check)
}

/// Passes the text "true" for each Boolean, and warns if the service takes it. One such parameter stands for all.
fn text_for_boolean(checker: &Checker<'_, '_>) -> Option<()> {
    let tested = checker.tested;
    if tested.is_unchecked() {
        return Some(());
    }
    for (name, _) in parameters(tested, has_boolean) {
        let Some(call) = call_with(checker, name, Json::from("true"), false) else {
            continue;
        };
        let reply = checker.caller.call(tested, &call);
        let response = checker.answered(reply, &|rule| checker.show(&call, rule))?;
        if let Ok(LiveOutcome::Result(_)) = response.outcome(false) {
            let message =
                format!("parameter `{name}` is a Boolean, and the text \"true\" is taken");
            checker.add(&call, Finding::new(Rule::TextForBoolean, message));
            break;
        }
    }
    Some(())
}

/// Passes an integer with the fraction `.0`, and warns if the service refuses it and takes the integer. One such
/// parameter stands for all.
fn integer_as_fraction(checker: &Checker<'_, '_>) -> Option<()> {
    let tested = checker.tested;
    for (name, pool) in parameters(tested, |pool| integer(pool).is_some()) {
        let Some(number) = integer(pool) else {
            continue;
        };
        let fraction = Json::Number(format!("{number}.0").as_str().into());
        let whole = call_with(checker, name, Json::Number(number.into()), true);
        let Some((whole, call)) = whole.zip(call_with(checker, name, fraction, true)) else {
            continue;
        };
        let Some(taken) = checker.outcome(&whole) else {
            continue;
        };
        let refusal = match checker.verdict(&call)? {
            // What the whole number gave may be gone once it was asked for.
            Ok(outcome) if tested.procedure.idempotent && !outcome.is_like(&taken) => {
                outcome.code().map(|_| outcome.shown())
            }
            Ok(_) => None,
            Err(findings) => {
                let is_refused = findings.iter().any(|it| it.rule == Rule::Narrower);
                is_refused.then(|| "error -32602".to_owned())
            }
        };
        if let Some(refusal) = refusal {
            let message = format!(
                "parameter `{name}` takes {number}, and {number}.0, which is the same integer, was answered \
                 with {refusal}"
            );
            checker.add(&call, Finding::new(Rule::FractionOfInteger, message));
            break;
        }
    }
    Some(())
}

/// Returns the parameters whose values are of a kind, by name.
fn parameters<'t>(
    tested: &'t TestedProcedure<'_>,
    is_meant: impl Fn(&ValuePool) -> bool,
) -> impl Iterator<Item = (&'t str, &'t ValuePool)> {
    let params = tested.procedure.params.iter().zip(&tested.pools);
    let params = params.filter(move |(_, pool)| is_meant(pool));
    params.map(|(param, pool)| (&*param.name, pool))
}

/// Returns the usual call with another value for a parameter, if the description allows it or not, as is
/// expected.
fn call_with(
    checker: &Checker<'_, '_>,
    name: &str,
    value: Json,
    is_valid: bool,
) -> Option<TrialCall> {
    let tested = checker.tested;
    let mut params: Object = tested.base.clone()?;
    params.insert(name, value);
    let params = tested.by_name(&params)?;
    let is_meant = tested.takes(&params, checker.validator) == Some(is_valid);
    is_meant.then(|| TrialCall::new(CallForm::Post, Some(params), is_valid))
}

fn has_boolean(pool: &ValuePool) -> bool {
    pool.valid.iter().any(|it| matches!(it, Json::Bool(_)))
}

/// Returns an integer that a parameter takes, as it is written.
fn integer(pool: &ValuePool) -> Option<&str> {
    let numbers = pool.valid.iter().filter_map(Json::as_number);
    let mut integers = numbers.filter(|it| it.len() <= MAX_DIGITS && !it.contains(['.', 'e', 'E']));
    integers.next()
}
