//! Checks the rules of the protocol that apply to every procedure: notifications, batches, and GET.

use docent_describe::json::{Json, Object};

use super::caller::{Form, message};
use super::judge::Verdict;
use super::lie::Lie;
use super::run::{Runner, Stop};
use super::subject::Subject;
use super::task::{Expect, Trial};
use super::{caching, quote, show};
use crate::check::rule::Rule;

impl<'d> Runner<'_, 'd> {
    pub(super) fn notification(
        &self,
        subject: &Subject<'d>,
        params: Option<&Json>,
    ) -> Result<(), Stop> {
        let response = self.call(subject, Form::Notification, params)?;
        let body = response
            .text
            .as_deref()
            .unwrap_or("something that is not UTF-8");
        let is_refused = response.status >= 400;
        let wrong_status = self.judge.is_docent && response.status != 204 && !is_refused;
        let message = if !body.trim().is_empty() && !is_refused {
            let body = quote::value(&Json::from(body));
            format!("a notification was answered with {body}")
        } else if wrong_status {
            format!(
                "a notification was answered with HTTP {}, not 204",
                response.status
            )
        } else {
            return Ok(());
        };
        let lie = Lie::new(Rule::Notification, message);
        self.found(subject, Form::Notification, params, lie);
        Ok(())
    }

    pub(super) fn batch(&self, subject: &Subject<'d>, params: Option<&Json>) -> Result<(), Stop> {
        let name = &subject.procedure.name;
        let ids = ["\"first\"", "2"];
        let calls = ids.map(|id| message(name, params, Some(id)));
        let response = self.caller.batch(&calls).ok_or(Stop)?;
        if response.status >= 400 {
            return Ok(());
        }
        let json = response.json();
        let answers = json.as_ref().and_then(Json::as_array).unwrap_or_default();
        let mut found: Vec<String> = answers
            .iter()
            .filter_map(|answer| answer.get("id").map(Json::to_string))
            .collect();
        // Only contracts such as Docent's guarantee an order.
        if !self.judge.is_docent {
            found.sort();
        }
        if found == ids {
            return Ok(());
        }
        let message = format!(
            "a batch with the ids {} was answered with {}",
            ids.join(" and "),
            if found.is_empty() {
                "none".to_owned()
            } else {
                found.join(", ")
            }
        );
        self.found(subject, Form::Post, params, Lie::new(Rule::Batch, message));
        Ok(())
    }

    pub(super) fn caching(&self, subject: &Subject<'d>, params: &Object) -> Result<(), Stop> {
        let report = |params: &Json, lie| {
            self.found(subject, Form::Get, Some(params), lie);
        };
        caching::check(self.caller, self.judge.is_docent, subject, params, report).ok_or(Stop)
    }

    /// Checks that GET does not run a procedure that is not idempotent. This is tried only for
    /// procedures that may be called at all.
    pub(super) fn get_of_write(&self, subject: &Subject<'d>) -> Result<(), Stop> {
        let url = crate::http::below(self.caller.address, &subject.procedure.name);
        let response = self.caller.get(&url, None).ok_or(Stop)?;
        let is_error = response
            .json()
            .is_none_or(|json| json.get("result").is_none());
        let is_refused = match response.status {
            405 => true,
            // Such a response comes from something other than the service.
            status => !self.judge.is_docent && (status >= 400 || is_error),
        };
        if !is_refused && !matches!(response.status, 401 | 403 | 429 | 500..) {
            let message = format!(
                "it is not idempotent, and GET was answered with HTTP {} instead of 405",
                response.status
            );
            self.found(subject, Form::Get, None, Lie::new(Rule::GetRuns, message));
        }
        Ok(())
    }

    /// Checks that a malformed query is rejected, with the status of the error code, and is not stored.
    pub(super) fn bad_query(
        &self,
        subject: &Subject<'d>,
        name: &str,
        text: &str,
    ) -> Result<(), Stop> {
        if !self.judge.is_docent || subject.is_unchecked() {
            return Ok(());
        }
        let mut url = crate::http::below(self.caller.address, &subject.procedure.name);
        url.query_pairs_mut().append_pair(name, text);
        let response = self.caller.get(&url, None).ok_or(Stop)?;
        let params = Json::Object([(name.to_owned(), Json::from(text))].into_iter().collect());
        let trial = Trial::new(Form::Get, Some(params), Expect::Refused);
        let lies = match self.verdict(subject, &trial, &response) {
            Verdict::Lies(lies) => lies,
            Verdict::Fine(_) if !response.cache_control.contains("no-store") => {
                let control = quote::value(&Json::from(response.cache_control.as_str()));
                let message = format!("an error came with Cache-Control {control}");
                vec![Lie::new(Rule::CacheControl, message)]
            }
            _ => return Ok(()),
        };
        for lie in lies {
            self.note(subject, lie, show::query(self.caller, &url));
        }
        Ok(())
    }
}
