//! A service that is called by its description.

use std::time::Duration;

use docent_describe::{ProcedureDescription, ServiceDescription, SimilarNames};
use url::Url;

use crate::cache::Cache;
use crate::failure::Failure;
use crate::http::{Client, Exchange, without_secrets};
use crate::input::{Described, Input, Way};
use crate::terminal::one_line;

/// A described service, and the address to call it at.
pub(crate) struct Remote {
    pub(crate) description: ServiceDescription,
    /// The address for calls. It is always one that the user typed, never one from the description.
    pub(crate) address: Url,
    pub(crate) exchange: Exchange,
    /// True if calls are those of JSON-RPC 1.1.
    pub(crate) is_1_1: bool,
}

impl Remote {
    /// Finds the description of a service. `address` is the address for calls if the input is a
    /// document.
    pub(crate) fn new(
        input: &Input,
        address: Option<&Url>,
        client: &Client,
        cache: &Cache,
    ) -> Result<Self, Failure> {
        let typed = match (address, input) {
            (Some(address), _) => Some(address),
            (None, Input::Live(url)) => Some(url),
            (None, _) => None,
        };
        let exchange = match input {
            // The host that publishes the document does not need the credentials for the service.
            Input::Live(url) if typed.is_some_and(|typed| typed.origin() != url.origin()) => {
                Some(client.anonymous(url))
            }
            Input::Live(url) => Some(client.exchange(url)?),
            _ => None,
        };
        let fetched = input.fetch_again(exchange.as_ref(), client, cache)?;
        let way = fetched.way;
        let description = Described::new(input, fetched)?.reading.description;
        let typed = typed.filter(|_| address.is_some() || way != Some(Way::Get));
        let Some(typed) = typed else {
            return Err(no_address(input, &description));
        };
        Ok(Self {
            description,
            address: typed.clone(),
            exchange: client.calls(typed)?,
            is_1_1: way.is_some_and(Way::is_1_1),
        })
    }

    /// Like [`new`](Self::new), but within a time limit, and from the cache if possible.
    pub(crate) fn description_within(
        input: &Input,
        client: &Client,
        cache: &Cache,
        time: Duration,
    ) -> Result<ServiceDescription, Failure> {
        let exchange = match input {
            Input::Live(url) => Some(client.exchange(url)?.within(time)),
            _ => None,
        };
        let kept = exchange.as_ref().and_then(|it| cache.get(&it.identity()));
        let fetched = match kept {
            Some(entry) => entry.into(),
            None => input.fetch_again(exchange.as_ref(), client, cache)?,
        };
        Ok(Described::new(input, fetched)?.reading.description)
    }

    /// Returns the address for messages, without secrets.
    pub(crate) fn shown(&self) -> String {
        without_secrets(&self.address).to_string()
    }

    /// Returns a procedure, or `None` for one that services do not list.
    pub(crate) fn procedure(&self, name: &str) -> Result<Option<&ProcedureDescription>, Failure> {
        if let Some(procedure) = self.description.procedure(name) {
            return Ok(Some(procedure));
        }
        if ProcedureDescription::reserves(name) {
            return Ok(None);
        }
        Err(unknown(&self.description, name, &self.shown()))
    }
}

/// Returns the failure for an unknown procedure, with a suggestion of a similar one.
pub(crate) fn unknown(service: &ServiceDescription, name: &str, shown: &str) -> Failure {
    let known = SimilarNames::new(service.procs.iter().map(|it| it.name.as_str()));
    let names: Vec<_> = known.closest(name, 3).into_iter().map(one_line).collect();
    let advice = if names.is_empty() {
        format!("`docent list {shown}` lists all")
    } else {
        format!("did you mean {}?", names.join(" or "))
    };
    Failure::usage(format_args!("there is no procedure `{name}`; {advice}"))
}

fn no_address(input: &Input, description: &ServiceDescription) -> Failure {
    let shown = input.shown();
    match &description.address {
        Some(address) => Failure::usage(format_args!(
            "{shown} is a document; --address {} calls the service where the document says it is",
            one_line(address)
        )),
        None => Failure::usage(format_args!(
            "{shown} is a document; --address URL says where the service is"
        )),
    }
}
