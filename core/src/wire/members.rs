//! The members of a message that some protocol version uses.
//!
//! They are collected without knowing the version, which only the members themselves tell.

use docent_describe::json::{Scanner, SyntaxError, unescape_lossy};

use super::key::MEMBER_NAME;
use super::message::{Method, TextSpan};

/// The positions of the members of a message. All are absent if the message is not an object.
#[derive(Debug, Default)]
pub(super) struct MessageMembers {
    pub(super) jsonrpc: Option<TextSpan>,
    pub(super) version: Option<TextSpan>,
    pub(super) method: Option<TextSpan>,
    pub(super) params: Option<TextSpan>,
    pub(super) id: Option<TextSpan>,
    /// The key that makes a call repeatable. Only 2.0 has it: elsewhere it is an unknown member.
    pub(super) key: Option<TextSpan>,
    pub(super) is_key_repeated: bool,
    /// Set if `method` is a string without escapes.
    method_is_plain: bool,
    /// A member that is written twice: the `id`, if it is one of them.
    pub(super) repeated: Option<MemberName>,
}

/// A member that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberName {
    Jsonrpc,
    Version,
    Method,
    Params,
    Id,
    Key,
}

impl MemberName {
    /// Reads the name of a member; `None` if the member is not used.
    #[inline]
    fn read(text: &str, scanner: &mut Scanner<'_>) -> Result<Option<Self>, SyntaxError> {
        // Comparing with the spelling of nearly all clients is several times as fast as reading a
        // string. None of these texts is the beginning of another string.
        Ok(Some(if scanner.eat_text(b"\"jsonrpc\"") {
            Self::Jsonrpc
        } else if scanner.eat_text(b"\"method\"") {
            Self::Method
        } else if scanner.eat_text(b"\"params\"") {
            Self::Params
        } else if scanner.eat_text(b"\"id\"") {
            Self::Id
        } else {
            return Self::read_any(text, scanner);
        }))
    }

    /// Reads a name in any spelling: `"\u0069d"` is `id` too.
    fn read_any(text: &str, scanner: &mut Scanner<'_>) -> Result<Option<Self>, SyntaxError> {
        let start = scanner.offset();
        scanner.skip_string()?;
        Ok(match &*unescape_lossy(&text[start..scanner.offset()]) {
            "jsonrpc" => Some(Self::Jsonrpc),
            "version" => Some(Self::Version),
            "method" => Some(Self::Method),
            "params" => Some(Self::Params),
            "id" => Some(Self::Id),
            MEMBER_NAME => Some(Self::Key),
            _ => None,
        })
    }
}

impl MessageMembers {
    /// Reads one value to its end and records its members. `self` must be new. The members are not
    /// returned, because that would copy them.
    pub(super) fn read(
        &mut self,
        text: &str,
        scanner: &mut Scanner<'_>,
    ) -> Result<(), SyntaxError> {
        scanner.skip_whitespace();
        if scanner.peek() != Some(b'{') {
            return scanner.skip_value();
        }
        scanner.open()?;
        scanner.skip_whitespace();
        if scanner.peek() == Some(b'}') {
            scanner.close();
            return Ok(());
        }
        loop {
            scanner.skip_whitespace();
            let name = MemberName::read(text, scanner)?;
            scanner.skip_whitespace();
            scanner.expect(b':')?;
            scanner.skip_whitespace();
            match name {
                Some(name) => self.read_value(name, scanner)?,
                None => scanner.skip_value()?,
            }
            scanner.skip_whitespace();
            if scanner.eat(b',') {
                continue;
            }
            if scanner.peek() != Some(b'}') {
                return Err(scanner.unexpected());
            }
            scanner.close();
            return Ok(());
        }
    }

    /// Reads the value of a member that is used.
    #[inline]
    fn read_value(
        &mut self,
        name: MemberName,
        scanner: &mut Scanner<'_>,
    ) -> Result<(), SyntaxError> {
        let start = scanner.offset();
        if name == MemberName::Method {
            self.method_is_plain = scanner.peek() == Some(b'"');
        }
        if name == MemberName::Method && self.method_is_plain {
            self.method_is_plain = !scanner.skip_string_noting_escapes()?;
        } else if name != MemberName::Jsonrpc || !scanner.eat_text(b"\"2.0\"") {
            scanner.skip_value()?;
        }
        let value = start..scanner.offset();
        let member = match name {
            MemberName::Jsonrpc => &mut self.jsonrpc,
            MemberName::Version => &mut self.version,
            MemberName::Method => &mut self.method,
            MemberName::Params => &mut self.params,
            MemberName::Id => &mut self.id,
            MemberName::Key => {
                self.is_key_repeated |= self.key.replace(value).is_some();
                return Ok(());
            }
        };
        // A repeated `id` is worse than any other repeated member: it is then unknown whom to answer.
        if member.replace(value).is_some() && self.repeated != Some(MemberName::Id) {
            self.repeated = Some(name);
        }
        Ok(())
    }

    /// Returns the name of the procedure, if `method` is a string.
    #[inline]
    pub(super) fn method(&self, text: &str) -> Option<Method> {
        let span = self.method.clone()?;
        if self.method_is_plain {
            return Some(Method::Plain(span.start + 1..span.end - 1));
        }
        text[span.clone()]
            .starts_with('"')
            .then(|| Method::escaped(&text[span]))
    }

    /// Returns the parameters, if there are any. Null counts as absent: no version of the protocol
    /// allows it, but clients send it.
    ///
    /// # Errors
    /// Returns the reason why a value cannot be parameters.
    #[inline]
    pub(super) fn params(&self, text: &str) -> Result<Option<TextSpan>, &'static str> {
        let span = self.params.as_ref();
        match span.and_then(|span| text.as_bytes().get(span.start)) {
            Some(b'[' | b'{') => Ok(self.params.clone()),
            Some(b'n') | None => Ok(None),
            _ => Err("params must be an array or an object"),
        }
    }

    /// Returns the `id`, unless it is repeated.
    pub(super) fn only_id(&self) -> Option<TextSpan> {
        self.id
            .clone()
            .filter(|_| self.repeated != Some(MemberName::Id))
    }
}

/// Returns whether a member is the string `version`.
#[cold]
pub(super) fn says(text: &str, member: Option<&TextSpan>, version: &str) -> bool {
    let value = member.map_or("", |span| &text[span.clone()]);
    value.starts_with('"') && unescape_lossy(value) == version
}
