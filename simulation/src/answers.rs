//! Checks answers: each has its call's id, and its result or an error that has a reason.
//!
//! A reason is a circumstance that the ledger knows of, such as a limit that was reached meanwhile. It
//! says that an error may be right, not that it must have occurred: the order in which a service
//! decides is its own.

use std::time::Duration;

use docent_core::code;
use serde_json::Value;

use crate::keys::ClaimAnswer;
use crate::ledger::Ledger;
use crate::plan::{Access, Ending, Exchange, Form, PlannedCall, TokenOutcome};
use crate::settings::{CALL_TIMEOUT, LOGINS_PER};

/// The content of an answer: a result, or an error's code and data.
type Outcome<'v> = Result<&'v Value, (i64, Value)>;

/// Checks the answers to the calls of an exchange. Returns the code of each call that is answered.
pub(crate) fn check_answers(
    ledger: &Ledger,
    exchange: &Exchange,
    body: Option<&[u8]>,
    now: Duration,
) -> Result<Vec<Option<i64>>, String> {
    let expected: Vec<_> = exchange
        .calls
        .iter()
        .filter(|call| call.id.is_some())
        .collect();
    let parsed = body
        .map(serde_json::from_slice::<Value>)
        .transpose()
        .map_err(|error| format!("an answer is no JSON: {error}"))?;
    let responses = match parsed {
        None => Vec::new(),
        Some(Value::Array(responses)) if exchange.form == Form::Batch => responses,
        Some(response) => vec![response],
    };
    if responses.len() != expected.len() {
        return Err(format!(
            "exchange {} has {} answers: {responses:?}",
            exchange.number,
            responses.len()
        ));
    }
    let mut codes = Vec::new();
    for (call, response) in expected.into_iter().zip(&responses) {
        let code = check_call(ledger, exchange, call, response, now).map_err(|wrong| {
            format!("{} {}: {wrong}: {response}", call.kind.name, call.params.n)
        })?;
        codes.push(code);
    }
    Ok(codes)
}

fn check_call(
    ledger: &Ledger,
    exchange: &Exchange,
    call: &PlannedCall,
    response: &Value,
    now: Duration,
) -> Result<Option<i64>, String> {
    let id = match exchange.form {
        Form::Query => Value::Null,
        _ => call.id.into(),
    };
    if response["id"] != id {
        return Err(format!("the id is not {id}"));
    }
    match read(exchange.form, response).ok_or("neither a result nor an error")? {
        Ok(result) if *result != call.params.n => Err("the result of another call".to_owned()),
        Ok(_) if call.params.ending == Ending::Returns && exchange.may_make(call) => Ok(None),
        Ok(_) => Err("a result".to_owned()),
        Err((code, data)) => {
            let case = ErrorCase {
                ledger,
                exchange,
                call,
                since: ledger.exchanges[&exchange.number].started,
                now,
            };
            if case.may_be(code, &data) {
                Ok(Some(code))
            } else {
                Err("an error without a reason".to_owned())
            }
        }
    }
}

/// Reads an answer in the form in which the call was sent.
fn read(form: Form, response: &Value) -> Option<Outcome<'_>> {
    match form {
        Form::V1_1 if response.get("error").is_some() => {
            read_error(&response["error"]["error"]).map(Err)
        }
        Form::Tool if response["result"]["isError"] == true => {
            let text = response["result"]["content"][0]["text"].as_str()?;
            read_error(&serde_json::from_str(text).ok()?).map(Err)
        }
        Form::Tool => Some(Ok(response["result"]["structuredContent"].get("result")?)),
        _ if response.get("error").is_some() => read_error(&response["error"]).map(Err),
        _ => response.get("result").map(Ok),
    }
}

fn read_error(error: &Value) -> Option<(i64, Value)> {
    Some((error["code"].as_i64()?, error["data"].clone()))
}

impl Exchange {
    /// Returns whether the credentials of the exchange are sufficient for a call.
    fn may_make(&self, call: &PlannedCall) -> bool {
        let worth = self.token.as_ref().map(|token| token.worth);
        match call.kind.access {
            Access::Open => true,
            Access::Maybe => worth.is_none_or(|worth| worth == TokenOutcome::Right),
            Access::Known | Access::Guarded => worth == Some(TokenOutcome::Right),
        }
    }
}

/// An error, with the circumstances that may explain it.
struct ErrorCase<'a> {
    ledger: &'a Ledger,
    exchange: &'a Exchange,
    call: &'a PlannedCall,
    since: Duration,
    now: Duration,
}

impl ErrorCase<'_> {
    fn may_be(&self, code: i64, data: &Value) -> bool {
        let Self { call, exchange, .. } = self;
        let ending = call.params.ending;
        let is_asked = call.kind.access != Access::Open;
        let worth = exchange
            .token
            .as_ref()
            .filter(|_| is_asked)
            .map(|token| token.worth);
        match code {
            7 => ending == Ending::Fails,
            8 => ending == Ending::Later,
            code::TIMED_OUT => {
                let batch_time = self.ledger.settings.batch_time.unwrap_or(CALL_TIMEOUT);
                self.now >= self.since + batch_time.min(CALL_TIMEOUT)
            }
            code::BUSY => self.is_full(),
            code::REFUSED => !exchange.may_make(call),
            code::TOO_MANY_REQUESTS => self.is_too_often(worth, data),
            code::INTERNAL_ERROR => {
                let is_unknown =
                    matches!(worth, Some(TokenOutcome::Unknown | TokenOutcome::Panics));
                ending == Ending::Panics || is_unknown || self.was_told(ClaimAnswer::Failed)
            }
            code::STILL_RUNNING => self.was_told(ClaimAnswer::Running),
            code::KEY_USED_OTHERWISE => self.was_told(ClaimAnswer::UsedOtherwise),
            _ => false,
        }
    }

    /// Returns whether all places, those of the procedure, or the caller's room for keys were taken
    /// meanwhile.
    fn is_full(&self) -> bool {
        let is_few = self.call.kind.name == "few";
        self.is_meanwhile(self.ledger.full_at)
            || is_few && self.is_meanwhile(self.ledger.few_full_at)
            || self.was_told(ClaimAnswer::Full)
    }

    fn is_meanwhile(&self, moment: Option<Duration>) -> bool {
        moment.is_some_and(|moment| moment >= self.since)
    }

    /// Returns whether this client itself has failed to log in, or has called, too often.
    fn is_too_often(&self, worth: Option<TokenOutcome>, data: &Value) -> bool {
        let client = self.exchange.client;
        if self.call.kind.name == "often" {
            return self.ledger.rates[client].full_until > self.since;
        }
        let logins = &self.ledger.logins[client];
        let wait = data["retryAfter"].as_u64().unwrap_or(u64::MAX);
        worth.is_some() && logins.slowest.full_until > self.since && wait <= LOGINS_PER.as_secs()
    }

    /// Returns whether the store has answered like this to the key of the call.
    fn was_told(&self, response: ClaimAnswer) -> bool {
        let Some(key) = &self.call.key else {
            return false;
        };
        let key = (self.call.owner.clone(), key.clone());
        self.ledger.keys.has_answered(&key, response)
    }
}
