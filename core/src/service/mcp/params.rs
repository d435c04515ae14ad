//! The parameters of a message, as far as the protocol uses them. Two members of the same name are an
//! error: a proxy might read the other one.

use std::num::NonZeroUsize;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::code;
use crate::fault::Fault;
use crate::wire::{ParsedRequest, key};

/// The members of `_meta` that every request of the newest revision must have.
pub(super) const VERSION_MEMBER: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_MEMBER: &str = "io.modelcontextprotocol/clientCapabilities";

#[derive(Deserialize)]
struct AnyParams<'t> {
    #[serde(rename = "_meta", borrow)]
    meta: Option<ClientMeta<'t>>,
}

/// The information about the client in `_meta`.
#[derive(Default, Deserialize)]
pub(super) struct ClientMeta<'t> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    pub(super) version: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities", borrow)]
    capabilities: Option<&'t RawValue>,
}

/// The parameters of `tools/call`.
#[derive(Deserialize)]
pub(super) struct ToolCall<'t> {
    pub(super) name: String,
    #[serde(borrow)]
    arguments: Option<&'t RawValue>,
    #[serde(rename = "_meta", borrow)]
    meta: Option<&'t RawValue>,
}

/// The parameters of `tools/list`.
#[derive(Deserialize)]
pub(super) struct ListParams {
    cursor: Option<IgnoredAny>,
}

/// The parameters of `initialize`.
#[derive(Deserialize)]
pub(super) struct InitializeParams {
    #[serde(rename = "protocolVersion")]
    pub(super) version: String,
}

/// The parameters of `notifications/cancelled`.
#[derive(Deserialize)]
pub(super) struct CancelledParams {
    #[serde(rename = "requestId")]
    pub(super) request_id: Value,
}

/// Reads the parameters of a request.
pub(super) fn read<'t, T: Deserialize<'t>>(
    body: &'t str,
    request: &ParsedRequest,
) -> Result<T, Fault> {
    let object = match &request.params {
        None => "{}",
        Some(span) if body[span.start..].starts_with('{') => &body[span.clone()],
        Some(_) => return Err(invalid("params must be an object")),
    };
    serde_json::from_str(object).map_err(invalid)
}

impl<'t> ClientMeta<'t> {
    pub(super) fn read(body: &'t str, request: &ParsedRequest) -> Result<Self, Fault> {
        let params: AnyParams<'_> = read(body, request)?;
        Ok(params.meta.unwrap_or_default())
    }

    /// Returns an error for a request of the newest revision that lacks a required member.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.version.is_none() {
            return Err(invalid(format_args!(
                "_meta must have {VERSION_MEMBER}, a string"
            )));
        }
        if !self.capabilities.is_some_and(is_object) {
            return Err(invalid(format_args!(
                "_meta must have {CAPABILITIES_MEMBER}, an object"
            )));
        }
        Ok(())
    }
}

impl ToolCall<'_> {
    /// Returns the request for the procedure: with the arguments of the tool as its parameters, and with
    /// the key in `_meta`, if there is one. Null counts as absent, as it does for `params`.
    pub(super) fn request(
        &self,
        body: &str,
        request: &ParsedRequest,
    ) -> Result<ParsedRequest, Fault> {
        #[derive(Deserialize)]
        struct KeyMeta<'t> {
            #[serde(rename = "x-idempotency-key", borrow)]
            key: Option<&'t RawValue>,
        }
        let params = match self.arguments {
            None => None,
            Some(arguments) if is_object(arguments) => {
                let start = offset(body, arguments);
                Some(start..start + arguments.get().len())
            }
            Some(_) => return Err(invalid("arguments must be an object")),
        };
        let members = self.meta.map_or("{}", RawValue::get);
        let meta: KeyMeta<'_> =
            serde_json::from_str(members).map_err(|_| malformed(key::REPEATED_REASON))?;
        let key = match (meta.key, request.key) {
            (None, key) => key,
            (Some(_), Some(_)) => return Err(malformed(key::REPEATED_REASON)),
            (Some(key), None) if key::read_member(key.get()).is_none() => {
                return Err(malformed(key::MALFORMED_REASON));
            }
            (Some(key), None) => NonZeroUsize::new(offset(body, key)),
        };
        Ok(ParsedRequest {
            params,
            key,
            ..request.clone()
        })
    }
}

fn malformed(reason: &str) -> Fault {
    Fault::explained(code::INVALID_REQUEST, reason)
}

impl ListParams {
    /// Returns the error of a cursor: lists have one page, so no cursor was ever issued.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match self.cursor {
            None => Ok(()),
            Some(_) => Err(invalid("the list has one page, and no such cursor")),
        }
    }
}

/// Returns the position of a part of a body.
fn offset(body: &str, part: &RawValue) -> usize {
    part.get().as_ptr().addr() - body.as_ptr().addr()
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// Puts the reason into the message, because clients show the message and rarely the data.
fn invalid(reason: impl std::fmt::Display) -> Fault {
    Fault::new(code::INVALID_PARAMS, format!("Invalid params: {reason}"))
}
