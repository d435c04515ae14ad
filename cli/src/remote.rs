//! A service that is called by its description: where it is, in which protocol it is called, and which
//! procedures it has.
//!
//! [`crate::input`] finds the description, and [`crate::http`] sends the requests.

use std::sync::Arc;

use docent_describe::{ProcedureDescription, ServiceDescription, SimilarNames};
use url::Url;

use crate::failure::{Failure, Result};
use crate::http::{Client, Exchange, HttpRequest, HttpResponse, without_secrets};
use crate::input::{Described, Input, ask};
use crate::mcp::{self, McpSession};
use crate::terminal::one_line;

/// A described service, and how to call it.
pub(crate) struct Remote {
    pub(crate) description: ServiceDescription,
    /// Sends calls to an address that the user typed, never to one from the description.
    pub(crate) exchange: Exchange,
    /// True if calls are those of JSON-RPC 1.1.
    pub(crate) is_1_1: bool,
    /// The session with a server of MCP.
    pub(crate) session: Option<Arc<McpSession>>,
}

impl Remote {
    /// Finds the description of a service. `address` is the address for calls if the input is a
    /// document.
    pub(crate) fn new(input: &Input, address: Option<&Url>, client: &Client) -> Result<Self> {
        let fetched = match (input, address) {
            // The host that publishes a document does not need the credentials for the service.
            (Input::Live(url), Some(address)) if address.origin() != url.origin() => {
                ask(&client.anonymous(url)?, None)?
            }
            _ => input.fetch(client, None)?,
        };
        let described = Described::new(input, fetched)?;
        let is_1_1 = described.is_1_1();
        let description = described.reading.description;
        let fetched = described.fetched;
        let open = fetched.session.filter(|_| address.is_none());
        let Some(address) = address.or(fetched.service.as_ref()) else {
            return Err(no_address(input, &description));
        };
        let exchange = client.with_api_key(client.calls(address)?, &description)?;
        Ok(Self {
            session: mcp::session(open, description.origin, &exchange)?,
            description,
            exchange,
            is_1_1,
        })
    }

    /// Returns a live service whose description is not known. It speaks JSON-RPC 2.0.
    pub(crate) fn undescribed(url: &Url, client: &Client) -> Result<Self> {
        Ok(Self {
            description: ServiceDescription::default(),
            exchange: client.calls(url)?,
            is_1_1: false,
            session: None,
        })
    }

    /// Sends a request.
    pub(crate) fn send(&self, request: &HttpRequest<'_>) -> Result<HttpResponse> {
        let response = match &self.session {
            Some(session) => session
                .call(&self.exchange, request)
                .map(|called| called.response),
            None => self.exchange.send(request),
        };
        response.map_err(|unanswered| self.exchange.unavailable(&unanswered))
    }

    /// Returns the address for messages, without secrets.
    pub(crate) fn display_name(&self) -> String {
        without_secrets(&self.exchange.typed).to_string()
    }

    /// Returns a procedure, or `None` for one that services do not list.
    pub(crate) fn procedure(&self, name: &str) -> Result<Option<&ProcedureDescription>> {
        if let Some(procedure) = self.description.procedure(name) {
            return Ok(Some(procedure));
        }
        if ProcedureDescription::reserves(name) {
            return Ok(None);
        }
        Err(unknown(&self.description, name, &self.display_name()))
    }
}

/// Returns the failure for an unknown procedure, with a suggestion of a similar one.
pub(crate) fn unknown(service: &ServiceDescription, name: &str, display_name: &str) -> Failure {
    let known = service.procs.iter().map(|procedure| &*procedure.name);
    let similar: Vec<_> = SimilarNames::new(known)
        .closest(name, 3)
        .into_iter()
        .map(one_line)
        .collect();
    let advice = if similar.is_empty() {
        format!("`docent list {display_name}` lists all")
    } else {
        format!("did you mean {}?", similar.join(" or "))
    };
    Failure::usage(format_args!("there is no procedure `{name}`; {advice}"))
}

/// Returns the failure for a document without --address. Its own address is suggested and never used: it
/// could lead anywhere.
fn no_address(input: &Input, description: &ServiceDescription) -> Failure {
    let display_name = input.display_name();
    match &description.address {
        Some(address) => Failure::usage(format_args!(
            "{display_name} is a document; --address {} calls the service where the document says it is",
            one_line(address)
        )),
        None => Failure::usage(format_args!(
            "{display_name} is a document; --address URL says where the service is"
        )),
    }
}
