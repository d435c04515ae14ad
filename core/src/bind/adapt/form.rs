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
    /// The position that the name stands for, if it stands for one.
    pub(super) fn position(&self) -> Option<usize> {
        position(&self.name)
    }
}

/// The position that a name of digits stands for. A number too large to count is not a position but
/// the name of a parameter that cannot exist.
pub(super) fn position(name: &str) -> Option<usize> {
    let digits = name.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| name.parse().ok()).flatten()
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
                BindError::new(format!("the value {what}")).of(words::name(&name))
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
                let (byte, after) = escaped(after)
                    .ok_or("has a % that is not followed by two hexadecimal digits")?;
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
