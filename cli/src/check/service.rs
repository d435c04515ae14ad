//! A service as a check reaches it: some of its procedures, whose parameters are read by Docent, and
//! requests over HTTP.

use std::sync::Arc;

use docent_core::Arguments;
use docent_describe::ServiceDescription;
use docent_describe::json::Json;
use docent_tools::check::{Binding, LiveResponse, Rule, Unanswered};
use reqwest::header::{HeaderValue, IF_NONE_MATCH};
use url::Url;

use crate::args::CheckArgs;
use crate::call::request::{fault_data, read};
use crate::http::{Exchange, HttpAnswer, HttpRequest};
use crate::mcp::{McpSession, is_command};
use crate::pattern::fits;

struct DescribedArguments(Arguments);

impl Binding for DescribedArguments {
    fn check(&self, params: &str) -> Result<(), Json> {
        self.0
            .check(params)
            .map_err(|fault| fault_data(&fault).unwrap_or(Json::Null))
    }

    fn read(&self, query: &[(String, String)]) -> Option<Json> {
        read(&self.0, query).ok()
    }
}

/// Removes the procedures that are not to be checked from a description, and returns their names.
pub(super) fn select(service: &mut ServiceDescription, args: &CheckArgs) -> Vec<String> {
    let has = |patterns: &[String], name: &str| patterns.iter().any(|it| fits(it, name));
    let (kept, skipped) = std::mem::take(&mut service.procs)
        .into_iter()
        .partition::<Vec<_>, _>(|it| {
            (args.only.is_empty() || has(&args.only, &it.name)) && !has(&args.skip, &it.name)
        });
    service.procs = kept;
    skipped.into_iter().map(|it| it.name).collect()
}

/// Returns how a service reads the parameters of each of its procedures.
pub(super) fn bindings(service: &ServiceDescription) -> impl Iterator<Item = impl Binding> {
    Arguments::of_all(service).map(DescribedArguments)
}

/// Sends a request of a check: a POST if there is a body.
pub(super) fn send(
    exchange: &Exchange,
    session: Option<&Arc<McpSession>>,
    url: &Url,
    body: Option<&str>,
    etag: Option<&str>,
) -> Result<LiveResponse, Unanswered> {
    let etag = etag.and_then(|etag| HeaderValue::try_from(etag).ok());
    let headers = etag.map(|etag| (IF_NONE_MATCH, etag)).into_iter().collect();
    let request = HttpRequest { url, body, headers };
    let Some(session) = session else {
        return exchange.send(&request).map_err(plainly).map(live_response);
    };
    let called = session.call(exchange, &request).map_err(|missing| {
        if is_command(&exchange.typed) {
            missing
        } else {
            plainly(missing)
        }
    })?;
    let response = live_response(called.answer);
    Ok(match called.result {
        Some(result) => response.with_tool_result(result),
        None => response,
    })
}

/// Explains why there is no response. Other commands say what the address may be, which is known here.
fn plainly(mut missing: Unanswered) -> Unanswered {
    if missing.rule == Rule::Closed {
        missing.reason = String::from("the connection ended without a whole response of HTTP");
    }
    missing
}

fn live_response(answer: HttpAnswer) -> LiveResponse {
    let header = |name: &str| {
        let value = answer.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    LiveResponse::new(answer.status.as_u16(), header, answer.body)
}
