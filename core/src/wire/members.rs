//! The members of a message that any protocol version uses.

use docent_describe::json::{Scanner, SyntaxError, unescape_lossy};

use super::message::{Method, ParamsSpan, Span};

/// Where the members of a message are. All are absent if the message is not an object.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) is_object: bool,
    pub(super) jsonrpc: Option<Span>,
    pub(super) version: Option<Span>,
    pub(super) method: Option<Span>,
    pub(super) params: Option<Span>,
    pub(super) id: Option<Span>,
    /// The last member that was there before, if any.
    pub(super) repeated: Option<Repeated>,
}

/// Which member was written twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeated {
    Id,
    Other,
}

impl Members {
    /// Reads one value to its end and remembers the members that matter.
    pub(super) fn read(text: &str, scanner: &mut Scanner<'_>) -> Result<Self, SyntaxError> {
        let mut members = Self::default();
        scanner.skip_whitespace();
        if scanner.peek() != Some(b'{') {
            scanner.skip_value()?;
            return Ok(members);
        }
        members.is_object = true;
        scanner.open()?;
        scanner.skip_whitespace();
        if scanner.peek() == Some(b'}') {
            scanner.close();
            return Ok(members);
        }
        loop {
            scanner.skip_whitespace();
            let start = scanner.offset();
            let escaped = scanner.skip_string_noting_escapes()?;
            let name = start..scanner.offset();
            scanner.skip_whitespace();
            scanner.expect(b':')?;
            scanner.skip_whitespace();
            let start = scanner.offset();
            scanner.skip_value()?;
            let value = start..scanner.offset();
            if escaped {
                // Names are compared as they are meant: `"\u0069d"` is `id` too.
                members.remember(&unescape_lossy(&text[name]), value);
            } else {
                members.remember(&text[name.start + 1..name.end - 1], value);
            }
            scanner.skip_whitespace();
            if scanner.eat(b',') {
                continue;
            }
            if scanner.peek() != Some(b'}') {
                return Err(scanner.unexpected());
            }
            scanner.close();
            return Ok(members);
        }
    }

    /// The name of the procedure, where `method` is a string.
    pub(super) fn method(&self, text: &str) -> Option<Method> {
        let span = self.method.clone()?;
        text[span.clone()]
            .starts_with('"')
            .then(|| Method::new(text, span))
    }

    /// The parameters, where they are of a kind that parameters have.
    pub(super) fn params(&self, text: &str) -> Option<ParamsSpan> {
        ParamsSpan::read(text, self.params.clone())
    }

    /// The `id`, where there are not two of them.
    pub(super) fn only_id(&self) -> Option<Span> {
        self.id
            .clone()
            .filter(|_| self.repeated != Some(Repeated::Id))
    }

    /// Whether `version` is this.
    pub(super) fn says_version(&self, text: &str, version: &str) -> bool {
        let said = self.version.clone().map(|span| &text[span]);
        said.is_some_and(|said| said.starts_with('"') && unescape_lossy(said) == version)
    }

    fn remember(&mut self, name: &str, value: Span) {
        let slot = match name {
            "jsonrpc" => &mut self.jsonrpc,
            "method" => &mut self.method,
            "params" => &mut self.params,
            "id" => &mut self.id,
            "version" => &mut self.version,
            _ => return,
        };
        if slot.replace(value).is_some() {
            // Two ids are worse than two of anything else: then it is not known whom to answer.
            let is_id = name == "id" || self.repeated == Some(Repeated::Id);
            self.repeated = Some(if is_id { Repeated::Id } else { Repeated::Other });
        }
    }
}
