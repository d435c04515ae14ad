//! A service as a check reaches it: some of its procedures, whose parameters are read by Docent, and
//! requests over HTTP.
//!
//! `docent_tools::check` has neither a network nor `docent-core`. What it needs of them is here.

use std::sync::Arc;

use docent_core::Arguments;
use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use docent_tools::check::{Binding, LiveResponse, LiveSubscribed, LiveTransport, Rule, Unanswered};
use reqwest::header::{HeaderValue, IF_NONE_MATCH};
use url::Url;

use super::response::live_response;
use super::stream;
use crate::args::CheckArgs;
use crate::call::request::{fault_data, query_params};
use crate::glob;
use crate::http::{Exchange, HttpRequest};
use crate::mcp::McpSession;

/// The reading of parameters by the rules of `docent-core`.
struct DescribedArguments(Arguments);

impl Binding for DescribedArguments {
    fn check(&self, params: &str) -> Result<(), Json> {
        self.0
            .check(params)
            .map_err(|fault| fault_data(&fault).unwrap_or(Json::Null))
    }

    fn read(&self, query: &[(String, String)]) -> Option<Json> {
        query_params(&self.0, query).ok()
    }
}

/// Removes the procedures that are not to be checked from a description, and returns their names.
pub(super) fn select(service: &mut ServiceDescription, args: &CheckArgs) -> Vec<String> {
    let mut skipped = Vec::new();
    service.procs.retain(|procedure| {
        let is_selected = args.only.is_empty() || any_matches(&args.only, &procedure.name);
        let is_kept = is_selected && !any_matches(&args.skip, &procedure.name);
        if !is_kept {
            skipped.push(procedure.name.clone());
        }
        is_kept
    });
    skipped
}

fn any_matches(globs: &[String], name: &str) -> bool {
    globs.iter().any(|glob| glob::matches(glob, name))
}

/// Returns how a service reads the parameters of each of its procedures.
pub(super) fn bindings(service: &ServiceDescription) -> impl Iterator<Item = impl Binding> {
    Arguments::of_all(service).map(DescribedArguments)
}

/// The way to a service that is checked.
pub(super) struct CheckedService<'s> {
    pub(super) exchange: &'s Exchange,
    pub(super) session: Option<&'s Arc<McpSession>>,
}

impl CheckedService<'_> {
    fn explained(&self, unanswered: Unanswered) -> Unanswered {
        if self.exchange.is_http() {
            plainly(unanswered)
        } else {
            unanswered
        }
    }
}

impl LiveTransport for CheckedService<'_> {
    fn send(
        &self,
        url: &Url,
        body: Option<&str>,
        etag: Option<&str>,
    ) -> Result<LiveResponse, Unanswered> {
        let etag = etag.and_then(|etag| HeaderValue::try_from(etag).ok());
        let headers = etag.map(|etag| (IF_NONE_MATCH, etag)).into_iter().collect();
        let request = HttpRequest { url, body, headers };
        let explain = |unanswered| self.explained(unanswered);
        let Some(session) = self.session else {
            let response = self.exchange.send(&request).map_err(explain)?;
            return Ok(live_response(response));
        };
        let called = session.call(self.exchange, &request).map_err(explain)?;
        let response = live_response(called.response);
        Ok(match called.result {
            Some(result) => response.with_tool_result(result),
            None => response,
        })
    }

    fn subscribe(
        &self,
        message: &str,
        cursor: Option<&str>,
    ) -> Option<Result<LiveSubscribed, Unanswered>> {
        let opened = stream::open(self.exchange, message, cursor)?;
        Some(opened.map_err(|unanswered| self.explained(unanswered)))
    }
}

/// Explains why there is no response. Other commands say what the address may be, which is known here.
fn plainly(mut unanswered: Unanswered) -> Unanswered {
    if unanswered.rule == Rule::Closed {
        unanswered.reason = String::from("the connection ended without a whole response of HTTP");
    }
    unanswered
}
