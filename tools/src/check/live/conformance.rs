//! Checks whether a response conforms to the description.
//!
//! In come a call and its response, out comes the outcome or a list of findings. An example is a call that the schemas
//! allow, answered with `-32602`: the description promises more than the service does (`Rule::Narrower`).
//!
//! Most errors of the protocol say nothing about what is described: the service was busy, or the response too large.
//! They are counted as undecided, unless a rule of the check is about them. So a code that is added to
//! [the table](docent_describe::code::PROTOCOL_ERRORS) needs nothing here.

use docent_describe::code;
use docent_describe::json::Json;
use docent_describe::{ErrorDescription, ProcedureDescription};

use super::caller::{CallForm, TrialCall};
use super::checker::{CheckResult, Checker};
use super::content::content_finding;
use super::response::{LiveError, LiveOutcome, LiveResponse};
use super::tested::TestedProcedure;
use crate::check::finding::{Finding, short_json, violated, without_values};
use crate::check::rule::Rule;
use crate::params::reason;

/// The maximum number of violations that are looked for in one response.
const MAX_VIOLATIONS: usize = 40;

impl<'d> Checker<'_, 'd> {
    /// Checks the response to a call: its status, its form, and its outcome.
    pub(super) fn check_response(
        &self,
        call: &TrialCall,
        response: &LiveResponse,
    ) -> CheckResult<LiveOutcome> {
        let is_docent = self.caller.is_docent;
        match response.status {
            401 | 403 | 407 => return self.denied(&response.denial()),
            408 | 413 | 414 | 429 => return self.undecided(),
            // The service does not serve GET at this address, which JSON-RPC does not ask for.
            404 | 405 | 501 if call.form == CallForm::Get && !is_docent => return Err(Vec::new()),
            _ => {}
        }
        let outcome = response.outcome(is_docent)?;
        let wrong_outcome = match &outcome {
            LiveOutcome::Result(result) => self.check_result(call, result),
            LiveOutcome::Error(error) => self.check_error(call, error)?,
        };
        let mut findings = Vec::new();
        findings.extend(self.wrong_status(call.form, response.status, &outcome));
        findings.extend(response.wrong_type());
        findings.extend(response.tool_result.as_ref().and_then(content_finding));
        findings.extend(wrong_outcome);
        if findings.is_empty() {
            Ok(outcome)
        } else {
            Err(findings)
        }
    }

    /// Checks the HTTP status that Docent's contract requires: 200 with POST, and that of the outcome
    /// with GET.
    fn wrong_status(&self, form: CallForm, status: u16, outcome: &LiveOutcome) -> Option<Finding> {
        if !self.caller.is_docent {
            return None;
        }
        let code = outcome.code();
        let expected = match code {
            Some(code) if form == CallForm::Get => get_status(self.tested.procedure, code)?,
            _ => 200,
        };
        if status == expected {
            return None;
        }
        let rule = match form {
            CallForm::Get => Rule::GetStatus,
            _ => Rule::BadResponse,
        };
        let answered = outcome.summary();
        let message = format!("HTTP {status} instead of {expected} with {answered}");
        let key = code.map_or(String::new(), |code| code.to_string());
        Some(Finding::new(rule, message).with_key(key))
    }

    /// Counts a response that proves nothing: the service was busy or too slow, or the response too
    /// large.
    fn undecided<T>(&self) -> CheckResult<T> {
        self.report().undecided += 1;
        Err(Vec::new())
    }

    /// Gives up a procedure that denies the caller access.
    fn denied<T>(&self, why: &str) -> CheckResult<T> {
        self.give_up(format!("the service does not let the caller in ({why})"));
        Err(Vec::new())
    }

    /// Returns the findings about a result: one that a wrong call should not have had, or that breaks its schema.
    fn check_result(&self, call: &TrialCall, result: &Json) -> Vec<Finding> {
        if !call.is_valid {
            return vec![wider(self.tested, call, &short_json(result))];
        }
        let Some(returns) = &self.tested.procedure.returns else {
            return Vec::new();
        };
        self.violations(Rule::Result, "the result", &returns.schema, result)
    }

    /// Returns the findings about an error, of which there may be none.
    fn check_error(&self, call: &TrialCall, error: &LiveError) -> CheckResult<Vec<Finding>> {
        let is_docent = self.caller.is_docent;
        let code = error.code;
        let data = error.data.as_ref();
        let answered = format!("{code} ({})", error.message);
        let plain_message = format!("the service answered {answered}");
        let finding = match code {
            code::INVALID_PARAMS
                if !call.is_valid
                    || self.tested.is_unchecked()
                    || self.tested.may_lack_format(call.params.as_ref(), data) =>
            {
                return Ok(Vec::new());
            }
            // The service may check a format that only it knows.
            code::INVALID_PARAMS if !self.is_allowed_with_formats(call) => return Err(Vec::new()),
            code::INVALID_PARAMS => {
                let reason = match data {
                    Some(data) => format!(": {}", reason(data).unwrap_or_else(|| short_json(data))),
                    // Servers of MCP have no data.
                    None if self.caller.is_mcp => {
                        format!(": {}", short_json(&Json::from(error.message.as_str())))
                    }
                    None => String::new(),
                };
                let message =
                    format!("the schema allows this, and the service answered {code}{reason}");
                Finding::new(Rule::Narrower, message)
            }
            code::REFUSED if is_docent => return self.denied(&format!("error {code}")),
            code::METHOD_NOT_FOUND => Finding::new(Rule::NotFound, plain_message),
            code::INVALID_REQUEST | code::PARSE_ERROR => {
                let message = format!("a well-formed call was answered with {answered}");
                Finding::new(Rule::Invalid, message)
            }
            code::INTERNAL_ERROR => Finding::new(Rule::InternalError, plain_message),
            code::NOT_CALLABLE_WITH_GET if is_docent => {
                Finding::new(Rule::GetRefused, plain_message)
            }
            _ if code::find(code).is_some() && !self.declares(code) => return self.undecided(),
            // A tool says in a text of its own what is wrong with its arguments.
            _ if !call.is_valid && self.caller.is_mcp => return Ok(Vec::new()),
            _ if !call.is_valid => {
                let expected = code::INVALID_PARAMS;
                wider(
                    self.tested,
                    call,
                    &format!("{answered} instead of {expected}"),
                )
            }
            _ => return Ok(self.own_error(self.tested.procedure, error)),
        };
        Ok(vec![finding])
    }

    /// Returns whether the description allows a call even if the service checks formats that are unknown.
    fn is_allowed_with_formats(&self, call: &TrialCall) -> bool {
        let params = call.params.as_ref();
        params.is_none_or(|params| self.tested.allows(params, self.with_formats) == Some(true))
    }

    /// Returns whether the procedure declares a code. Services that Docent does not serve may give a meaning of
    /// their own to one of the protocol's.
    fn declares(&self, code: i64) -> bool {
        self.tested
            .procedure
            .errors
            .iter()
            .any(|error| error.code == code)
    }

    /// Checks an error of the procedure's own against those that it declares.
    pub(super) fn own_error(
        &self,
        procedure: &'d ProcedureDescription,
        error: &LiveError,
    ) -> Vec<Finding> {
        let LiveError { code, message, .. } = error;
        let is_docent = self.caller.is_docent;
        let same: Vec<&ErrorDescription> = procedure
            .errors
            .iter()
            .filter(|error| error.code == *code)
            .collect();
        let Some(first) = same.first() else {
            let is_own = !code::RESERVED.contains(code) || code::is_implementation_defined(*code);
            if procedure.errors_open && (is_own || !is_docent) {
                return Vec::new();
            }
            let message =
                format!("the service answered error {code} ({message}), which is not declared");
            return vec![Finding::new(Rule::UndeclaredError, message).with_key(code.to_string())];
        };
        let mut exact = same.clone();
        exact.retain(|declared| declared.message == *message);
        if exact.is_empty() && is_docent && !procedure.errors_open {
            let message = format!(
                "error {code} is declared with the message {:?}, and came with {message:?}",
                first.message
            );
            return vec![Finding::new(Rule::ErrorMessage, message).with_key(code.to_string())];
        }
        let declared = if exact.is_empty() { same } else { exact };
        // One of the declared errors with this code must match.
        declared
            .into_iter()
            .map(|declared| self.wrong_data(declared, error.data.as_ref()))
            .min_by_key(Vec::len)
            .unwrap_or_default()
    }

    /// Returns the findings about the data of a declared error.
    fn wrong_data(&self, error: &'d ErrorDescription, data: Option<&Json>) -> Vec<Finding> {
        let code = error.code;
        match (&error.data, data) {
            (None, Some(data)) if self.caller.is_docent => {
                let data = short_json(data);
                let message =
                    format!("error {code} is declared without data, and came with {data}");
                vec![wrong_presence(code, message, "undeclared")]
            }
            (None, _) => Vec::new(),
            // Data that may be null may also be left out.
            (Some(schema), None)
                if self.validator.violations(schema, &Json::Null, 1).is_empty() =>
            {
                Vec::new()
            }
            (Some(_), None) => {
                let message = format!("error {code} came without the data that is declared");
                vec![wrong_presence(code, message, "missing")]
            }
            (Some(schema), Some(data)) => {
                let what = format!("the data of error {code}");
                self.violations(Rule::ErrorData, &what, schema, data)
            }
        }
    }

    /// Returns a finding for each way in which a value violates its schema.
    pub(super) fn violations(
        &self,
        rule: Rule,
        what: &str,
        schema: &'d Json,
        value: &Json,
    ) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for violation in self.validator.violations(schema, value, MAX_VIOLATIONS) {
            // A violation by one element stands for all elements.
            let how = violated(&violation);
            let key = format!("{what}: {}", without_values(&how));
            if !findings.iter().any(|known| known.key == key) {
                let message = format!("{what} breaks its schema: {how}");
                findings.push(Finding::new(rule, message).with_key(key));
            }
        }
        findings
    }
}

/// Creates the finding for data that is there although none is declared, or the other way round.
fn wrong_presence(code: i64, message: String, key: &str) -> Finding {
    Finding::new(Rule::ErrorData, message).with_key(format!("{code} {key}"))
}

/// Creates the finding for a call that the service accepts and the description does not allow.
fn wider(tested: &TestedProcedure<'_>, call: &TrialCall, answered: &str) -> Finding {
    let params = call.params.as_ref().unwrap_or(&Json::Null);
    let error = tested.binding.check(&params.to_string()).err();
    let why = error.as_ref().and_then(reason).unwrap_or_default();
    let in_brackets = if why.is_empty() {
        String::new()
    } else {
        format!(" ({why})")
    };
    let message =
        format!("the schema does not allow this{in_brackets}, and the service answered {answered}");
    Finding::new(Rule::Wider, message).with_key(without_values(&why))
}

/// Returns the status that an error must have with GET. Returns `None` if the contract leaves it open: for
/// what no GET gets, and for codes of guards.
fn get_status(procedure: &ProcedureDescription, code: i64) -> Option<u16> {
    if code::RESERVED.contains(&code) {
        return code::find(code)?.get_status;
    }
    Some(code::get_status(code, Some(procedure)))
}
