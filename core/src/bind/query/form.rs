//! The form encoding of queries (`application/x-www-form-urlencoded`), read strictly: what is not
//! text is refused and not repaired.

use std::borrow::Cow;

use crate::bind::error::BindError;
use crate::bind::words;

/// A name and its value.
pub(super) struct Pair<'q> {
    pub(super) name: Cow<'q, str>,
    pub(super) value: Cow<'q, str>,
}

impl Pair<'_> {
    /// The position that the name stands for, where it consists of digits. One that is beyond all
    /// numbers is as far away as the last of them.
    pub(super) fn position(&self) -> Option<usize> {
        let is_position =
            !self.name.is_empty() && self.name.bytes().all(|byte| byte.is_ascii_digit());
        is_position.then(|| self.name.parse().unwrap_or(usize::MAX))
    }
}

/// The pairs of a query, in order.
pub(super) fn pairs(query: &str) -> Result<Vec<Pair<'_>>, BindError> {
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name)
                .map_err(|what| BindError::new(format!("a name in the query {what}")))?;
            let value = decode(value).map_err(|what| {
                BindError::new(format!("the value {what}")).of(words::beginning(&name))
            })?;
            Ok(Pair { name, value })
        })
        .collect()
}

/// The text that is encoded, or what is wrong with it.
fn decode(encoded: &str) -> Result<Cow<'_, str>, &'static str> {
    if !encoded.contains(['%', '+']) {
        return Ok(Cow::Borrowed(encoded));
    }
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => {
                let (byte, after) =
                    escaped(after).ok_or("has a % that no two hexadecimal digits follow")?;
                rest = after;
                byte
            }
            other => other,
        });
    }
    match String::from_utf8(decoded) {
        Ok(text) => Ok(Cow::Owned(text)),
        Err(_) => Err("is not UTF-8"),
    }
}

fn escaped(after_sign: &[u8]) -> Option<(u8, &[u8])> {
    let ([high, low], rest) = after_sign.split_first_chunk()?;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()?;
    Some((byte, rest))
}
