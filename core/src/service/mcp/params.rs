//! The parameters of a message, as far as the protocol uses them.

use std::borrow::Cow;
use std::num::NonZeroUsize;

use docent_describe::json::{Cursor, unescape};

use crate::code;
use crate::fault::Fault;
use crate::wire::{ParamsSpan, Span, key};

/// The members of `_meta` that every request of the newer revision must have.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The positions of the members of `params`.
#[derive(Debug, Default)]
pub(super) struct Asked {
    name: Option<Span>,
    arguments: Option<Span>,
    cursor: Option<Span>,
    version: Option<Span>,
    meta: Option<Span>,
}

/// The information about the client in `_meta`.
#[derive(Debug, Default)]
pub(super) struct Client<'t> {
    pub(super) version: Option<Cow<'t, str>>,
    pub(super) has_capabilities: bool,
}

impl Asked {
    /// Finds the members. Two members of the same name are an error: a proxy might read the other
    /// one.
    pub(super) fn read(text: &str, params: &ParamsSpan) -> Result<Self, Fault> {
        let mut asked = Self::default();
        let object = match params {
            ParamsSpan::Absent => return Ok(asked),
            ParamsSpan::Array(_) => return Err(invalid("params must be an object")),
            ParamsSpan::Object(span) => span,
        };
        for (name, value) in members(text, object) {
            let place = match &*name {
                "name" => &mut asked.name,
                "arguments" => &mut asked.arguments,
                "cursor" => &mut asked.cursor,
                "protocolVersion" => &mut asked.version,
                "_meta" => &mut asked.meta,
                _ => continue,
            };
            if place.replace(value).is_some() {
                return Err(repeated(&name));
            }
        }
        Ok(asked)
    }

    /// Returns the name of the tool to call.
    pub(super) fn name<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Fault> {
        string(text, self.name.as_ref()).ok_or_else(|| invalid("name must be a string"))
    }

    /// Returns the arguments of the tool. Null counts as absent, as it does for `params`.
    pub(super) fn arguments(&self, text: &str) -> Result<ParamsSpan, Fault> {
        let Some(span) = &self.arguments else {
            return Ok(ParamsSpan::Absent);
        };
        match text.as_bytes().get(span.start) {
            Some(b'{') => Ok(ParamsSpan::Object(span.clone())),
            Some(b'n') => Ok(ParamsSpan::Absent),
            _ => Err(invalid("arguments must be an object")),
        }
    }

    /// Returns the version that an `initialize` request offers.
    pub(super) fn version<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Fault> {
        let version = string(text, self.version.as_ref());
        version.ok_or_else(|| invalid("protocolVersion must be a string"))
    }

    /// Refuses a cursor: lists have one page, so no cursor was ever issued.
    pub(super) fn refuse_cursor(&self, text: &str) -> Result<(), Fault> {
        match &self.cursor {
            Some(span) if &text[span.clone()] != "null" => {
                Err(invalid("the list has one page, and no such cursor"))
            }
            _ => Ok(()),
        }
    }

    /// Returns the position at which the key of a call begins: in `_meta`, or in the request
    /// itself.
    pub(super) fn key(
        &self,
        text: &str,
        mut key: Option<NonZeroUsize>,
    ) -> Result<Option<NonZeroUsize>, Fault> {
        let invalid = |reason| Fault::explained(code::INVALID_REQUEST, reason);
        for (name, value) in self.meta.iter().flat_map(|meta| members(text, meta)) {
            if name == key::MEMBER {
                let place = key::place(text, &value).ok_or_else(|| invalid(key::MALFORMED))?;
                if key.replace(place).is_some() {
                    return Err(invalid(key::REPEATED));
                }
            }
        }
        Ok(key)
    }

    /// Returns the information about the client in the message.
    pub(super) fn client<'t>(&self, text: &'t str) -> Result<Client<'t>, Fault> {
        let mut client = Client::default();
        let Some(meta) = &self.meta else {
            return Ok(client);
        };
        if text.as_bytes().get(meta.start) != Some(&b'{') {
            return Err(invalid("_meta must be an object"));
        }
        let mut capabilities = None;
        for (name, value) in members(text, meta) {
            if name == VERSION {
                let version = string(text, Some(&value));
                let version = version
                    .ok_or_else(|| invalid(format_args!("{VERSION} in _meta must be a string")))?;
                if client.version.replace(version).is_some() {
                    return Err(repeated(VERSION));
                }
            } else if name == CAPABILITIES && capabilities.replace(value).is_some() {
                return Err(repeated(CAPABILITIES));
            }
        }
        let start = capabilities.map(|capabilities| capabilities.start);
        client.has_capabilities =
            start.is_some_and(|start| text.as_bytes().get(start) == Some(&b'{'));
        Ok(client)
    }
}

impl Client<'_> {
    /// Refuses a request of the newer revision that lacks a required member.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.version.is_none() {
            return Err(invalid(format_args!("_meta must have {VERSION}, a string")));
        }
        if !self.has_capabilities {
            return Err(invalid(format_args!(
                "_meta must have {CAPABILITIES}, an object"
            )));
        }
        Ok(())
    }
}

/// Returns the members of the object at this position of a JSON text.
fn members<'t>(text: &'t str, object: &Span) -> impl Iterator<Item = (Cow<'t, str>, Span)> {
    let mut cursor = Cursor::at(text, object.start);
    cursor.step();
    std::iter::from_fn(move || {
        let name = cursor.next_member()?;
        let start = cursor.offset();
        cursor.value();
        Some((name.unescape(), start..cursor.offset()))
    })
}

/// Returns the string at this position; `None` if it is another value.
fn string<'t>(text: &'t str, span: Option<&Span>) -> Option<Cow<'t, str>> {
    let written = text.get(span?.clone())?;
    let string = written.starts_with('"').then(|| unescape(written));
    string?.ok()
}

/// Puts the reason into the message, because clients show the message and rarely the data.
fn invalid(reason: impl std::fmt::Display) -> Fault {
    Fault::new(code::INVALID_PARAMS, format!("Invalid params: {reason}"))
}

fn repeated(name: &str) -> Fault {
    invalid(format_args!("{name} must not be repeated"))
}
