//! Checks the rules of the protocol that apply to every procedure: notifications, batches, GET, keys.
//!
//! `conformance.rs` checks what a response means for the call that it answers.

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, TypeCode, code};
use url::Url;

use super::caching::caching;
use super::caller::{CallForm, TrialCall, UNKNOWN_PARAM, keyed, message};
use super::checker::Checker;
use super::response::{LiveError, LiveOutcome};
use super::task::RuleCheck;
use crate::check::finding::{Finding, short_json};
use crate::check::rule::Rule;
use crate::request::below;

/// Returns the checks that apply to a procedure.
pub(super) fn rule_checks(procedure: &ProcedureDescription) -> Vec<RuleCheck> {
    let mut checks: Vec<RuleCheck> = if procedure.idempotent {
        vec![bad_queries, caching]
    } else {
        vec![get_of_write]
    };
    if procedure.repeatable.is_some() {
        checks.push(key);
    }
    checks.push(notification);
    checks.push(batch);
    checks
}

impl Checker<'_, '_> {
    /// Reports that the call with the procedure's usual parameters breaks a rule.
    pub(super) fn broken(&self, form: CallForm, rule: Rule, message: impl Into<String>) {
        self.add(
            &TrialCall::new(form, self.tested.usual_params(), true),
            Finding::new(rule, message),
        );
    }

    /// Returns the URL of the procedure.
    fn url(&self) -> Url {
        below(self.caller.options.address, &self.tested.procedure.name)
    }
}

/// Checks that a notification is not answered.
fn notification(checker: &Checker<'_, '_>) -> Option<()> {
    let call = TrialCall::new(CallForm::Notification, checker.tested.usual_params(), true);
    let reply = checker.caller.call(checker.tested, &call);
    let response = checker.answered(reply, &|rule| checker.reproduce(&call, rule))?;
    let status = response.status;
    let body = response
        .text
        .as_deref()
        .unwrap_or("something that is not UTF-8");
    let message = if status >= 400 {
        return Some(());
    } else if !body.trim().is_empty() {
        let body = short_json(&Json::from(body));
        format!("a notification was answered with {body}")
    } else if checker.caller.is_docent && status != 204 {
        format!("a notification was answered with HTTP {status}, not 204")
    } else {
        return Some(());
    };
    checker.broken(CallForm::Notification, Rule::Notification, message);
    Some(())
}

/// Checks that each call of a batch is answered once.
fn batch(checker: &Checker<'_, '_>) -> Option<()> {
    let name = &checker.tested.procedure.name;
    let params = checker.tested.usual_params();
    let ids = ["\"first\"", "2"];
    let calls = ids.map(|id| message(name, params.as_ref(), Some(id)));
    let batch = format!("[{}]", calls.join(","));
    let response = checker.post(&batch)?;
    if matches!(response.status, 401 | 403 | 407 | 408 | 413 | 429) {
        return Some(());
    }
    let Some(json) = response.json() else {
        let call = checker.reproduce_post(&batch, Rule::NotJson);
        checker.add_with_call(response.not_json(), call);
        return Some(());
    };
    let mut found: Vec<String> = json
        .as_array()
        .unwrap_or_default()
        .iter()
        .filter_map(|answer| Some(answer.get("id")?.to_string()))
        .collect();
    // Only contracts such as Docent's guarantee an order.
    if !checker.caller.is_docent {
        found.sort();
    }
    if response.status < 400 && found != ids {
        let reason = format!(
            "a batch with the ids {} was answered with [{}]",
            ids.join(" and "),
            found.join(", ")
        );
        let call = checker.reproduce_post(&batch, Rule::Batch);
        checker.add_with_call(Finding::new(Rule::Batch, reason), call);
    }
    Some(())
}

/// Checks that GET does not run a procedure that is not idempotent. This is tried only for procedures
/// that may be called at all.
fn get_of_write(checker: &Checker<'_, '_>) -> Option<()> {
    if checker.caller.options.is_command {
        return Some(());
    }
    let response = checker.get(&checker.url(), None)?;
    let json = response.json();
    let is_error = json.is_none_or(|json| json.get("result").is_none());
    let status = response.status;
    // Another response than 405 may come from something other than the service.
    let is_refused = !checker.caller.is_docent && (status >= 400 || is_error);
    if !is_refused && !matches!(status, 401 | 403 | 405 | 429 | 500..) {
        let message =
            format!("it is not idempotent, and GET was answered with HTTP {status} instead of 405");
        checker.add(
            &TrialCall::new(CallForm::Get, None, true),
            Finding::new(Rule::GetRuns, message),
        );
    }
    Some(())
}

/// Checks that malformed queries are rejected, with the status of the error code, and are not stored.
/// Only Docent guarantees that.
fn bad_queries(checker: &Checker<'_, '_>) -> Option<()> {
    let caller = checker.caller;
    if !caller.is_docent || caller.options.is_command || checker.tested.is_unchecked() {
        return Some(());
    }
    let mut queries = vec![(UNKNOWN_PARAM, "1")];
    for param in &checker.tested.procedure.params {
        if matches!(param.type_code, TypeCode::Num | TypeCode::Bit) {
            queries.push((&param.name, "docent-check"));
            break;
        }
    }
    for (name, text) in queries {
        let mut url = checker.url();
        url.query_pairs_mut().append_pair(name, text);
        let response = checker.get(&url, None)?;
        let params = Json::from(Object::from([(name, Json::from(text))]));
        let findings = match checker.check_response(
            &TrialCall::new(CallForm::Get, Some(params), false),
            &response,
        ) {
            Err(findings) => findings,
            Ok(_) if response.cache_control.contains("no-store") => Vec::new(),
            Ok(_) => {
                let control = &response.cache_control;
                let message = format!("an error came with Cache-Control {control:?}");
                vec![Finding::new(Rule::CacheControl, message)]
            }
        };
        for finding in findings {
            let call = checker.reproduce_get(&url, None, finding.rule);
            checker.add_with_call(finding, call);
        }
    }
    Some(())
}

/// Checks whether a call that is repeated with its key gets the same result as the first one.
fn key(checker: &Checker<'_, '_>) -> Option<()> {
    let name = &checker.tested.procedure.name;
    let key = format!("docent-check-{:016x}", fastrand::u64(..));
    let without_key = message(name, checker.tested.usual_params().as_ref(), Some("1"));
    let call = keyed(&without_key, &key);
    let first = checker.post(&call)?.outcome(false).ok()?;
    let second = checker.post(&call)?.outcome(false).ok()?;
    let message = match &first {
        LiveOutcome::Error(LiveError {
            code: code::INVALID_REQUEST,
            ..
        }) => {
            format!("a call with a key was answered with {}", first.summary())
        }
        LiveOutcome::Result(_) if first != second => format!(
            "a call was answered with {}, and the same call with the same key with {}",
            first.summary(),
            second.summary()
        ),
        _ => return Some(()),
    };
    checker.broken(CallForm::Post, Rule::Key, message);
    Some(())
}
