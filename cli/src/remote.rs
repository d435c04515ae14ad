//! A service that is called by its description.

use std::sync::Arc;

use docent_describe::{ProcedureDescription, ServiceDescription, SimilarNames};
use url::Url;

use crate::failure::Failure;
use crate::http::{Client, Exchange, HttpAnswer, HttpRequest, without_secrets};
use crate::input::{DescribeWay, Described, Input, ask};
use crate::mcp::{self, McpSession};
use crate::terminal::one_line;

/// A described service, and the address to call it at.
pub(crate) struct Remote {
    pub(crate) description: ServiceDescription,
    /// The address for calls. It is always one that the user typed, never one from the description.
    pub(crate) address: Url,
    pub(crate) exchange: Exchange,
    /// True if calls are those of JSON-RPC 1.1.
    pub(crate) is_1_1: bool,
    /// The session with a server of MCP.
    pub(crate) session: Option<Arc<McpSession>>,
}

impl Remote {
    /// Finds the description of a service. `address` is the address for calls if the input is a
    /// document.
    pub(crate) fn new(
        input: &Input,
        address: Option<&Url>,
        client: &Client,
    ) -> Result<Self, Failure> {
        let typed = match (address, input) {
            (Some(address), _) => Some(address),
            (None, Input::Live(url)) => Some(url),
            (None, _) => None,
        };
        let fetched = match input {
            Input::Live(url) => {
                let is_typed = typed.is_none_or(|typed| typed.origin() == url.origin());
                // The host that publishes a document does not need the credentials for the service.
                let exchange = if is_typed {
                    client.exchange(url)?
                } else {
                    client.anonymous(url)?
                };
                ask(&exchange, url, None)?
            }
            _ => input.fetch(client, None)?,
        };
        let way = fetched.way;
        let open = fetched.session.clone().filter(|_| address.is_none());
        let description = Described::new(input, fetched)?.reading.description;
        let typed = typed.filter(|_| address.is_some() || way != Some(DescribeWay::Get));
        let Some(typed) = typed else {
            return Err(no_address(input, &description));
        };
        let exchange = client.calls(typed)?;
        Ok(Self {
            session: mcp::session(open, description.origin, &exchange)?,
            description,
            address: typed.clone(),
            exchange,
            is_1_1: way.is_some_and(DescribeWay::is_1_1),
        })
    }

    /// Sends a request.
    pub(crate) fn send(&self, request: &HttpRequest<'_>) -> Result<HttpAnswer, Failure> {
        let answer = mcp::send(&self.exchange, self.session.as_ref(), request);
        answer.map_err(|missing| mcp::unavailable(&self.exchange, &missing))
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

/// Returns the names that a name or a pattern stands for: in a pattern, `*` is any text and `?` any
/// character. A name that is known is no pattern.
pub(crate) fn meant<'n>(pattern: &'n str, known: &[&'n str]) -> Vec<&'n str> {
    if !pattern.contains(['*', '?']) || known.contains(&pattern) {
        return vec![pattern];
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let fits = |name: &&&str| matches(&pattern, &name.chars().collect::<Vec<char>>());
    known.iter().filter(fits).copied().collect()
}

fn matches(pattern: &[char], text: &[char]) -> bool {
    // The places of the last star, and of the end of what it stands for.
    let (mut at, mut place, mut star) = (0, 0, None);
    while place < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, place));
                at += 1;
            }
            Some(character) if *character == '?' || *character == text[place] => {
                at += 1;
                place += 1;
            }
            _ => {
                let Some((last, end)) = star else {
                    return false;
                };
                star = Some((last, end + 1));
                (at, place) = (last + 1, end + 1);
            }
        }
    }
    pattern[at..].iter().all(|character| *character == '*')
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn a_star_stands_for_any_text() {
        let known = ["book.find", "book.get", "loan.list", "a*b"];
        for (pattern, expected) in [
            ("book.*", &["book.find", "book.get"][..]),
            ("*.?i*", &["book.find", "loan.list"]),
            ("*", &known),
            ("a*b", &["a*b"]),
            ("none.*", &[]),
            ("none", &["none"]),
        ] {
            assert_eq!(meant(pattern, &known), expected, "{pattern}");
        }
        let many = "a".repeat(5_000);
        assert!(meant(&format!("{}b", "*a".repeat(50)), &[&many]).is_empty());
    }
}
