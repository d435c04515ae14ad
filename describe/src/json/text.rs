//! From a string as JSON writes it to the characters it means.

use std::borrow::Cow;

use super::scan::end_of_plain_run;

/// A string holds half of a surrogate pair (`"\ud800"`): JSON's grammar takes it, no text has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoneSurrogate;

/// The characters of a well-formed JSON string, quotation marks included in `quoted`.
/// Borrowed where nothing is escaped.
///
/// # Errors
/// [`LoneSurrogate`] where an escape is half of a surrogate pair.
#[inline]
pub fn unescape(quoted: &str) -> Result<Cow<'_, str>, LoneSurrogate> {
    let inner = inside(quoted);
    if end_of_plain_run(inner.as_bytes(), 0) == inner.len() {
        return Ok(Cow::Borrowed(inner));
    }
    let mut lone = false;
    let text = decode(inner, &mut lone);
    if lone {
        Err(LoneSurrogate)
    } else {
        Ok(text.into())
    }
}

/// Like [`unescape`], with U+FFFD in place of every lone surrogate.
pub fn unescape_lossy(quoted: &str) -> Cow<'_, str> {
    let inner = inside(quoted);
    if end_of_plain_run(inner.as_bytes(), 0) == inner.len() {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(decode(inner, &mut false))
}

fn inside(quoted: &str) -> &str {
    quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(quoted)
}

fn decode(inner: &str, lone: &mut bool) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest.as_bytes()[at..];
        let length = match escape.get(1) {
            Some(b'u') => {
                let (character, length) = decode_unicode(escape);
                *lone |= character.is_none();
                text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
                length
            }
            Some(&byte) => {
                text.push(match byte {
                    b'b' => '\u{8}',
                    b'f' => '\u{c}',
                    b'n' => '\n',
                    b'r' => '\r',
                    b't' => '\t',
                    other => char::from(other),
                });
                2
            }
            None => 1,
        };
        rest = &rest[at + length..];
    }
    text.push_str(rest);
    text
}

/// The character of a `\u` escape, or of a pair of them, and the bytes it took.
fn decode_unicode(escape: &[u8]) -> (Option<char>, usize) {
    let high = hex(escape, 2);
    if let Some(character) = char::from_u32(high) {
        return (Some(character), 6);
    }
    if (0xd800..0xdc00).contains(&high) && escape.get(6..8) == Some(b"\\u") {
        let low = hex(escape, 8);
        if (0xdc00..0xe000).contains(&low) {
            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            return (char::from_u32(code), 12);
        }
    }
    (None, 6)
}

fn hex(escape: &[u8], at: usize) -> u32 {
    escape
        .get(at..at + 4)
        .unwrap_or_default()
        .iter()
        .fold(0, |code, &digit| {
            code << 4 | char::from(digit).to_digit(16).unwrap_or_default()
        })
}
