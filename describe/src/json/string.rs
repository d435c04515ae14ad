//! Decodes JSON strings to characters, and encodes them.
//!
//! Large bodies consist mostly of strings, so the searches for the end of a string look at several
//! bytes at once. They only find the end: the grammar of escapes is checked by the scanner.

use std::borrow::Cow;
use std::fmt::Write as _;

use memchr::memchr;

/// The error of a string with an unpaired surrogate (`"\ud800"`): valid JSON, but not valid text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoneSurrogate;

/// Decodes a well-formed JSON string, which includes its quotation marks. Borrows if there are no
/// escapes.
///
/// # Errors
/// [`LoneSurrogate`] if there is an unpaired surrogate.
#[inline]
pub fn unescape(quoted: &str) -> Result<Cow<'_, str>, LoneSurrogate> {
    let inner = without_quotes(quoted);
    if end_of_plain_run::<true>(inner.as_bytes(), 0) == inner.len() {
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

/// Like [`unescape`], with U+FFFD for unpaired surrogates.
pub fn unescape_lossy(quoted: &str) -> Cow<'_, str> {
    let inner = without_quotes(quoted);
    if end_of_plain_run::<true>(inner.as_bytes(), 0) == inner.len() {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(decode(inner, &mut false))
}

fn without_quotes(quoted: &str) -> &str {
    quoted
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(quoted)
}

/// Decodes the characters between the quotation marks of a string. Sets `lone` if a surrogate is unpaired.
fn decode(inner: &str, lone: &mut bool) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
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
        // Only malformed text ends in an escape, or has a multi-byte character in one.
        rest = rest.get(at + length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

/// Returns the character of a `\u` escape or of a pair of them, and its length in bytes.
fn decode_unicode(escape: &[u8]) -> (Option<char>, usize) {
    let high = four_hex_digits(escape, 2);
    if let Some(character) = char::from_u32(high) {
        return (Some(character), 6);
    }
    if (0xd800..0xdc00).contains(&high) && escape.get(6..8) == Some(b"\\u") {
        let low = four_hex_digits(escape, 8);
        if (0xdc00..0xe000).contains(&low) {
            let code = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            return (char::from_u32(code), 12);
        }
    }
    (None, 6)
}

fn four_hex_digits(escape: &[u8], at: usize) -> u32 {
    escape
        .get(at..at + 4)
        .unwrap_or_default()
        .iter()
        .fold(0, |code, &digit| {
            code << 4 | char::from(digit).to_digit(16).unwrap_or_default()
        })
}

/// Writes a JSON string. [Invisible](is_deceptive) characters are escaped, so that the text can be
/// both read and copied.
pub fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    // Nearly all text is plain ASCII, which can be checked without decoding characters.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && plain_length(text) == text.len() {
        out.push_str(text);
    } else {
        text.chars()
            .for_each(|character| push_escaped(out, character));
    }
    out.push('"');
}

/// Appends a character as it is written inside a JSON string.
pub(super) fn push_escaped(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        hidden if is_deceptive(hidden) => {
            // Writing to a `String` cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(hidden));
        }
        plain => out.push(plain),
    }
}

/// Returns whether a character is invisible and changes how others are read: a control other than tabs and line
/// ends, or a bidirectional embedding, override or isolate, which can make one text look like another.
pub fn is_deceptive(character: char) -> bool {
    matches!(character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns the number of bytes at the start of a text that a JSON string has without escapes.
#[inline]
pub(crate) fn plain_length(text: &str) -> usize {
    end_of_longer_run::<true>(text.as_bytes(), 0)
}

/// Returns the offset of the first quotation mark, backslash or (if `CONTROLS`) control character
/// from `at` on. It checks eight bytes at a time, because large bodies consist mostly of strings.
#[inline]
pub(super) fn end_of_plain_run<const CONTROLS: bool>(bytes: &[u8], at: usize) -> usize {
    // Most strings end within eight bytes, and for them a call would cost as much as the search.
    match eight_at(bytes, at).map(end_in::<CONTROLS>) {
        Some(offset @ 0..8) => at + offset,
        Some(_) => end_of_further_run::<CONTROLS>(bytes, at + 8),
        None => end_of_further_run::<CONTROLS>(bytes, at),
    }
}

/// Continues [`end_of_plain_run`] out of line, so that the common case stays small where it is inlined.
#[inline(never)]
fn end_of_further_run<const CONTROLS: bool>(bytes: &[u8], start: usize) -> usize {
    end_of_longer_run::<CONTROLS>(bytes, start)
}

/// Like [`end_of_plain_run`], for runs that are not expected to be short.
#[inline]
pub(super) fn end_of_longer_run<const CONTROLS: bool>(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(eight) = eight_at(bytes, at) {
        let offset = end_in::<CONTROLS>(eight);
        if offset < 8 {
            return at + offset;
        }
        // Advances by eight and not by `offset`: otherwise the next load would wait for it.
        at += 8;
        if at - start == 24 {
            at = end_of_long_run::<CONTROLS>(bytes, at);
        }
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || CONTROLS && byte < b' ' {
            break;
        }
        at += 1;
    }
    at
}

/// Returns the eight bytes at `at`, the first one lowest.
#[inline]
fn eight_at(bytes: &[u8], at: usize) -> Option<u64> {
    let rest = bytes.get(at..)?;
    Some(u64::from_le_bytes(*rest.first_chunk()?))
}

/// Returns the offset of the first of eight bytes that ends a plain run, or 8 if there is none.
#[inline]
fn end_in<const CONTROLS: bool>(bytes: u64) -> usize {
    let others = if CONTROLS {
        // Flipping this bit moves the quotation mark right behind the control characters, which
        // only trade places among themselves.
        mark_less(bytes ^ eight_times(b'"' ^ b' '), b' ' + 1)
    } else {
        mark_less(bytes ^ eight_times(b'"'), 1)
    };
    let backslashes = mark_less(bytes ^ eight_times(b'\\'), 1);
    let marks = (others | backslashes) & eight_times(0x80);
    marks.trailing_zeros() as usize / 8
}

/// Sets the highest bit of each of eight bytes that is less than `limit`. A borrow may set false marks, but
/// only above a true one, so the lowest mark is always right. Other bits are not defined.
#[inline]
fn mark_less(bytes: u64, limit: u8) -> u64 {
    bytes.wrapping_sub(eight_times(limit)) & !bytes
}

/// Repeats a byte eight times.
#[inline]
fn eight_times(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// Skips bytes that do not end a plain run, 32 at a time: the compiler turns the comparisons of a
/// block of known length into a few vector instructions.
#[inline]
fn end_of_long_run<const CONTROLS: bool>(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<32>()) {
        let ends = chunk.iter().fold(0, |ends, &byte| {
            let control = CONTROLS && byte < b' ';
            ends | u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(control)
        });
        if ends != 0 {
            break;
        }
        at += 32;
    }
    at
}

/// Returns the offset after the closing quotation mark of a string, starting anywhere outside its
/// escapes, or the end of the text if there is none. The string must be well formed.
#[inline]
pub(super) fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let end = end_of_plain_run::<false>(bytes, at);
    match bytes.get(end) {
        Some(b'"') => end + 1,
        Some(_) => end_of_escaped_string(bytes, end),
        None => bytes.len(),
    }
}

/// Searches for quotation marks only, because most escapes are of other characters. A quotation
/// mark is escaped if an odd number of backslashes precedes it.
fn end_of_escaped_string(bytes: &[u8], start: usize) -> usize {
    let mut from = start;
    while let Some(run) = memchr(b'"', &bytes[from..]) {
        let quote = from + run;
        let backslashes = bytes[start..quote]
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count();
        if backslashes % 2 == 0 {
            return quote + 1;
        }
        from = quote + 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_run_ends_at_the_same_byte_however_many_are_looked_at_together() {
        fn end<const CONTROLS: bool>(bytes: &[u8]) -> usize {
            let ends = |byte: &u8| matches!(byte, b'"' | b'\\') || CONTROLS && *byte < b' ';
            bytes.iter().position(ends).unwrap_or(bytes.len())
        }
        // The neighbours of the bytes that end a run, and bytes with which a subtraction borrows.
        let fillers = [b'a', b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xa1, 0xff];
        for filler in fillers {
            for length in [1, 7, 8, 9, 31, 32, 33, 70] {
                for position in 0..length {
                    for byte in 0..=u8::MAX {
                        let mut bytes = vec![filler; length];
                        bytes[position] = byte;
                        let found = (
                            end_of_plain_run::<false>(&bytes, 0),
                            end_of_plain_run::<true>(&bytes, 0),
                        );
                        let expected = (end::<false>(&bytes), end::<true>(&bytes));
                        assert_eq!(found, expected, "{byte:#x} at {position} of {length}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_string_ends_at_the_first_quotation_mark_that_is_no_escape() {
        for inner in [
            "",
            "plain",
            r#"\""#,
            r"\\",
            r#"\\\""#,
            r#"a\"b\\\"c\\"#,
            r#"\u0022 and \" in a text of more than thirty-two bytes \\"#,
        ] {
            let text = format!(r#""{inner}", "other""#);
            let end = inner.len() + 2;
            assert_eq!(end_of_string(text.as_bytes(), 1), end, "{text}");
            assert_eq!(end_of_string(&text.as_bytes()[..end - 1], 1), end - 1);
        }
    }
}
