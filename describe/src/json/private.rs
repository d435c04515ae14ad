//! Names of members that `serde_json` reserves for itself.
//!
//! `serde_json` passes types of its own through serde as objects with one member, whose name stands for
//! the type. It takes any such object for the type: decoded as a `serde_json::Value`,
//! `{"$serde_json::private::RawValue": "[1]"}` is the array `[1]`. So text with such a name would be
//! decoded to another value than the one that has been checked, and is refused before it is decoded.

use memchr::{memchr2, memmem};

use super::cursor::Cursor;

/// The beginning of all names that `serde_json` reserves for itself.
pub const PRIVATE_PREFIX: &str = "$serde_json::private::";

/// Returns the byte offset of the first name of a member, in an object at any depth, that begins with
/// [`PRIVATE_PREFIX`] once it is unescaped. The text must be well formed.
///
/// Most texts have neither a dollar sign nor a backslash, and are searched only once.
///
/// ```
/// use docent_describe::json::find_private_name;
///
/// let text = r#"[{"a": {"\u0024serde_json::private::Number": "1"}}]"#;
/// assert_eq!(find_private_name(text), Some(8));
/// assert_eq!(find_private_name(r#"{"$serde": "$serde_json::private::Number"}"#), None);
/// ```
#[inline]
pub fn find_private_name(text: &str) -> Option<usize> {
    if !has_mark(text.as_bytes()) {
        return None;
    }
    let plain = first_private_name(text, "\"$");
    let escaped = first_private_name(text, r#""\u0024"#);
    plain.into_iter().chain(escaped).min()
}

/// Returns the offset of the first private name that begins like this, with its quotation mark.
fn first_private_name(text: &str, beginning: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, beginning).find(|&quote| {
        // Behind a backslash, the quotation mark belongs to a string. One that follows a string's escaped
        // backslash ends it, and no name comes right after it.
        let begins_string = quote == 0 || bytes[quote - 1] != b'\\';
        begins_string && is_private_name(text, quote)
    })
}

/// Returns whether there is a dollar sign or a backslash. For the few bytes of most parameters, looking at each
/// takes fewer instructions than starting a search.
#[inline]
fn has_mark(bytes: &[u8]) -> bool {
    if bytes.len() < 16 {
        bytes.iter().any(|byte| matches!(byte, b'$' | b'\\'))
    } else {
        memchr2(b'$', b'\\', bytes).is_some()
    }
}

/// Returns whether the string at an offset is the name of a member, and private.
#[cold]
fn is_private_name(text: &str, offset: usize) -> bool {
    let mut cursor = Cursor::at(text, offset);
    let string = cursor.string();
    cursor.next_token() == b':' && string.unescape().starts_with(PRIVATE_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_name_is_found_at_any_depth_and_in_any_spelling() {
        for name in [
            "$serde_json::private::RawValue",
            "$serde_json::private::",
            r"\u0024serde_json::private::Number",
            r"$\u0073erde_json\u003a:private::x",
            r"$serde_json::private::\ud800",
        ] {
            let member = format!("{{\"{name}\" :1}}");
            assert_eq!(find_private_name(&member), Some(1), "{member}");
            for around in ["[[{}]]", r#"{"a":"\\","b":[0,{}]}"#, r#"["\"$","$",{}]"#] {
                let text = around.replace("{}", &member);
                assert_eq!(
                    find_private_name(&text),
                    text.find(&member).map(|at| at + 1)
                );
            }
        }
    }

    #[test]
    fn a_private_name_is_found_however_long_the_text_is() {
        for length in 0..100 {
            let before = format!("[\"{}\",", "a".repeat(length));
            let text = format!("{before}{{\"$serde_json::private::\":1}}]");
            assert_eq!(find_private_name(&text), Some(before.len() + 1), "{text}");
            let plain = text.replace('$', "");
            assert_eq!(find_private_name(&plain), None, "{plain}");
        }
        for text in [
            "[\"$\"]",
            "{\"$\":1}",
            "{\"abcd\":\"$\"}",
            "{\"\\u0024\":{}}",
        ] {
            assert_eq!(find_private_name(text), None, "{text}");
        }
    }

    #[test]
    fn other_names_and_texts_that_read_like_one_are_not_private() {
        for text in [
            "",
            "$",
            r#""$serde_json::private::RawValue""#,
            r#"{"a":"$serde_json::private::RawValue"}"#,
            r#"{"a":"\"$serde_json::private::RawValue\":"}"#,
            r#"{"$serde_json::public::RawValue":1,"$":2,"$ref":3}"#,
            r#"{"a$serde_json::private::RawValue":1," $serde_json::private::":2}"#,
            r#"{"\\u0024serde_json::private::RawValue":1}"#,
        ] {
            assert_eq!(find_private_name(text), None, "{text}");
        }
    }
}
