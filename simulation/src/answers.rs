//! Checks answers: each has its call's id, and its result or an error that has a reason.

use std::time::Duration;

use docent_core::code;
use serde_json::Value;

use crate::keys::Said;
use crate::ledger::Ledger;
use crate::plan::{Access, Ending, Exchange, Form, Planned, Worth};
use crate::settings::{LOGINS_PER, TIMEOUT};

/// The content of an answer: a result, or an error's code and data.
type Outcome<'v> = Result<&'v Value, (i64, Value)>;

/// Checks the answer to an exchange. Returns the code of each call that is answered.
pub(crate) fn judge(
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
    let body = body.map(serde_json::from_slice::<Value>).transpose();
    let answers = match body.map_err(|error| format!("an answer is no JSON: {error}"))? {
        None => Vec::new(),
        Some(Value::Array(answers)) if exchange.form == Form::Batch => answers,
        Some(answer) => vec![answer],
    };
    if answers.len() != expected.len() {
        let (are, number) = (answers.len(), exchange.number);
        return Err(format!("exchange {number} has {are} answers: {answers:?}"));
    }
    let pairs = expected.into_iter().zip(&answers);
    let codes = pairs.map(|(call, answer)| {
        let code = judge_call(ledger, exchange, call, answer, now);
        code.map_err(|wrong| format!("{} {}: {wrong}: {answer}", call.kind.name, call.params.n))
    });
    codes.collect()
}

fn judge_call(
    ledger: &Ledger,
    exchange: &Exchange,
    call: &Planned,
    answer: &Value,
    now: Duration,
) -> Result<Option<i64>, String> {
    let id = match exchange.form {
        Form::Query => Value::Null,
        _ => call.id.into(),
    };
    if answer["id"] != id {
        return Err(format!("the id is not {id}"));
    }
    match read(exchange.form, answer).ok_or("neither a result nor an error")? {
        Ok(result) if *result != call.params.n => Err("the result of another call".to_owned()),
        Ok(_) => {
            let is_right = call.params.ending == Ending::Returns && exchange.may_make(call);
            is_right
                .then_some(None)
                .ok_or_else(|| "a result".to_owned())
        }
        Err((code, data)) => {
            let case = Case {
                ledger,
                exchange,
                call,
                since: ledger.exchanges[&exchange.number].started,
                now,
            };
            let has_reason = case.may_be(code, &data);
            has_reason
                .then_some(Some(code))
                .ok_or_else(|| "an error without a reason".to_owned())
        }
    }
}

fn read(form: Form, answer: &Value) -> Option<Outcome<'_>> {
    let error = |error: &Value| Some((error["code"].as_i64()?, error["data"].clone()));
    match form {
        Form::V1_1 if answer.get("error").is_some() => error(&answer["error"]["error"]).map(Err),
        Form::Tool if answer["result"]["isError"] == true => {
            let text = answer["result"]["content"][0]["text"].as_str()?;
            error(&serde_json::from_str(text).ok()?).map(Err)
        }
        Form::Tool => Some(Ok(answer["result"]["structuredContent"].get("result")?)),
        _ if answer.get("error").is_some() => error(&answer["error"]).map(Err),
        _ => answer.get("result").map(Ok),
    }
}

impl Exchange {
    /// Returns whether the credentials of the exchange are sufficient for a call.
    fn may_make(&self, call: &Planned) -> bool {
        let worth = self.token.as_ref().map(|token| token.worth);
        match call.kind.access {
            Access::Open => true,
            Access::Maybe => worth.is_none_or(|worth| worth == Worth::Right),
            Access::Known | Access::Guarded => worth == Some(Worth::Right),
        }
    }
}

/// An error, with the circumstances that may explain it.
struct Case<'a> {
    ledger: &'a Ledger,
    exchange: &'a Exchange,
    call: &'a Planned,
    since: Duration,
    now: Duration,
}

impl Case<'_> {
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
                let times = self.ledger.settings.batch_time.into_iter().chain([TIMEOUT]);
                times
                    .min()
                    .is_some_and(|time| self.now >= self.since + time)
            }
            code::BUSY => self.is_full(),
            code::REFUSED => !exchange.may_make(call),
            code::TOO_MANY_REQUESTS => self.is_too_often(worth, data),
            code::INTERNAL_ERROR => {
                let is_unknown = matches!(worth, Some(Worth::Unknown | Worth::Panics));
                ending == Ending::Panics || is_unknown || self.has_said(Said::Failed)
            }
            code::STILL_RUNNING => self.has_said(Said::Running),
            code::KEY_USED_OTHERWISE => self.has_said(Said::UsedOtherwise),
            _ => false,
        }
    }

    /// Returns whether all places, those of the procedure, or the caller's room for keys were taken
    /// meanwhile.
    fn is_full(&self) -> bool {
        let meanwhile = |at: Option<Duration>| at.is_some_and(|at| at >= self.since);
        let is_few = self.call.kind.name == "few";
        meanwhile(self.ledger.full_at)
            || is_few && meanwhile(self.ledger.few_full_at)
            || self.has_said(Said::Full)
    }

    /// Returns whether this client itself has failed to log in, or has called, too often.
    fn is_too_often(&self, worth: Option<Worth>, data: &Value) -> bool {
        let client = self.exchange.client;
        let (logins, rate) = (&self.ledger.logins[client], &self.ledger.rates[client]);
        let wait = data["retryAfter"].as_u64().unwrap_or(u64::MAX);
        if self.call.kind.name == "often" {
            return rate.full_until > self.since;
        }
        worth.is_some() && logins.slowest.full_until > self.since && wait <= LOGINS_PER.as_secs()
    }

    fn has_said(&self, said: Said) -> bool {
        let name = self
            .call
            .key
            .clone()
            .map(|key| (self.call.owner.clone(), key));
        name.is_some_and(|name| self.ledger.keys.has_said(&name, said))
    }
}
