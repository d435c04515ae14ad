//! Tries whether a service reads values as their schema does: a text is no Boolean, and 20.0 is an integer.
//!
//! Other services and clients read them otherwise than such a service, so these are warnings.

use docent_describe::code::INVALID_PARAMS;
use docent_describe::json::Json;

use super::caller::{CallForm, TrialCall};
use super::checker::Checker;
use super::response::LiveOutcome;
use super::task::RuleCheck;
use super::tested::ValuePool;
use crate::check::finding::Finding;
use crate::check::rule::Rule;

/// The maximum number of digits of an integer that every language can also write as a fraction.
const MAX_DIGITS: usize = 15;

/// The checks that apply to every procedure. Without a parameter to try, they send nothing.
pub(super) const COERCION_CHECKS: [RuleCheck; 2] = [text_for_boolean, integer_as_fraction];

/// Passes the text "true" for each Boolean, and warns if the service takes it. One such parameter stands for all.
fn text_for_boolean(checker: &Checker<'_, '_>) -> Option<()> {
    let tested = checker.tested;
    if tested.is_unchecked() {
        return Some(());
    }
    for (param, pool) in tested.params() {
        let name = &param.name;
        if !pool.valid.iter().any(|value| value.as_bool().is_some()) {
            continue;
        }
        let Some(call) = call_with(checker, name, Json::from("true"), false) else {
            continue;
        };
        let reply = checker.caller.call(tested, &call);
        let response = checker.answered(reply, &|rule| checker.reproduce(&call, rule))?;
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
    for (param, pool) in tested.params() {
        let name = &param.name;
        let Some(number) = integer(pool) else {
            continue;
        };
        let fraction = Json::Number(format!("{number}.0").as_str().into());
        let whole_number = Json::Number(number.into());
        let Some(call_with_integer) = call_with(checker, name, whole_number, true) else {
            continue;
        };
        let Some(call) = call_with(checker, name, fraction, true) else {
            continue;
        };
        let Some(taken) = checker.outcome(&call_with_integer) else {
            continue;
        };
        let error = match checker.check_call(&call)? {
            // The result of the whole number may be gone once it was asked for.
            Ok(outcome) if tested.procedure.idempotent && !outcome.is_like(&taken) => {
                outcome.code().map(|_| outcome.summary())
            }
            Ok(_) => None,
            Err(findings) => findings
                .iter()
                .any(|finding| finding.rule == Rule::Narrower)
                .then(|| format!("error {INVALID_PARAMS}")),
        };
        if let Some(error) = error {
            let message = format!(
                "parameter `{name}` takes {number}, and {number}.0, which is the same integer, was answered \
                 with {error}"
            );
            checker.add(&call, Finding::new(Rule::FractionOfInteger, message));
            break;
        }
    }
    Some(())
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
    let mut params = tested.usual.clone()?;
    params.insert(name, value);
    let params = tested.by_name(&params)?;
    if tested.allows(&params, checker.validator) != Some(is_valid) {
        return None;
    }
    Some(TrialCall::new(CallForm::Post, Some(params), is_valid))
}

/// Returns an integer that a parameter takes, as it is written.
fn integer(pool: &ValuePool) -> Option<&str> {
    pool.valid
        .iter()
        .filter_map(Json::as_number)
        .find(|number| number.len() <= MAX_DIGITS && !number.contains(['.', 'e', 'E']))
}
