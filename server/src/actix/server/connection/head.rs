//! Finds the end of a request's head, and reads what it says about the body.

use std::net::Ipv6Addr;

use memchr::memchr;

/// The maximum size of a head. actix-http rejects longer ones, too.
pub(super) const LIMIT: usize = 128 << 10;

/// An offer to upgrade to another protocol: a field name, and an option of `Connection`.
const OFFER: &[u8] = b"upgrade";

/// The mask for [`OFFER`]. It has the same length.
const INSTEAD: &[u8] = b"x-offer";

/// The field in which a client asks whether to send its body.
const EXPECT: &[u8] = b"expect";

/// The mask for [`EXPECT`].
const EXPECT_INSTEAD: &[u8] = b"x-wait";

/// A complete head.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The length, including the empty line at the end.
    pub(super) length: usize,
    pub(super) body: BodyLength,
    /// True if the client waits for permission to send its body.
    pub(super) waits: bool,
    /// The reason why the request is refused although actix-http would accept it.
    pub(super) fault: Option<&'static str>,
}

/// The length of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyLength {
    Sized(u64),
    Chunked,
}

/// Returns how many bytes at the start are empty lines, which may precede a request line.
pub(super) fn empty_lines(bytes: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += match &bytes[length..] {
            [b'\r', b'\n', ..] => 2,
            _ => return length,
        };
    }
}

/// Parses a head if it is complete. `seen` is how much of it has been checked before, so that a
/// head that arrives byte by byte is not read from the start each time.
///
/// This function finds only faults that actix-http accepts. It reads the same bytes, rejects a head
/// that is malformed otherwise, and closes the connection.
pub(super) fn read(bytes: &mut [u8], seen: &mut usize) -> Option<Head> {
    let head = if *seen == 0 || has_end(bytes, *seen) {
        lines(bytes)
    } else {
        None
    };
    *seen = if head.is_some() { 0 } else { bytes.len() };
    head
}

/// Returns whether a head ends after the part that has been checked.
fn has_end(bytes: &[u8], seen: usize) -> bool {
    let mut from = seen;
    while let Some(length) = memchr(b'\n', &bytes[from..]) {
        from += length + 1;
        let so_far = &bytes[..from];
        if so_far.ends_with(b"\n\r\n") || so_far.ends_with(b"\n\n") {
            return true;
        }
    }
    false
}

/// Parses the lines of a head up to the empty line at its end, if it has arrived.
fn lines(bytes: &mut [u8]) -> Option<Head> {
    let (mut body, mut waits) = (BodyLength::Sized(0), false);
    let (mut has_host, mut fault) = (false, None);
    // The request line says nothing about the body.
    let mut line = memchr(b'\n', bytes)? + 1;
    let request_line = line;
    loop {
        let end = line + memchr(b'\n', &bytes[line..])?;
        // The request line ends before the first field.
        if bytes[end - 1] != b'\r' || !bytes[..line].ends_with(b"\r\n") {
            fault = Some("each line of the head must end with CRLF");
        }
        match &mut bytes[line..end] {
            [] | [b'\r'] => {
                let length = end + 1;
                return Some(Head {
                    length,
                    body,
                    waits,
                    fault,
                });
            }
            // The first letter rules out most fields.
            field @ [b'C' | b'c' | b'T' | b't' | b'U' | b'u', ..] => read_field(field, &mut body),
            field @ [b'H' | b'h', ..] => {
                if let Some(host) = value(field, b"host") {
                    if has_host || !is_host(host.trim_ascii()) {
                        fault =
                            Some("Host must be there once, and be a host with or without a port");
                    }
                    has_host = true;
                }
            }
            [b'E' | b'e', ..] => {
                let (before, field) = bytes[..end].split_at_mut(line);
                waits |= read_expectation(&before[..request_line], field);
            }
            _ => {}
        }
        line = end + 1;
    }
}

/// Reads a field that determines the body's length, and masks an offer to upgrade. No other
/// protocol is supported, and actix-http would treat the offer as a decision.
fn read_field(field: &mut [u8], body: &mut BodyLength) {
    if let Some(length) = value(field, b"content-length") {
        // An invalid length is rejected, and so are two lengths.
        let length = std::str::from_utf8(length.trim_ascii()).ok();
        let length = length.and_then(|length| length.parse().ok());
        if let (Some(length), BodyLength::Sized(_)) = (length, *body) {
            *body = BodyLength::Sized(length);
        }
    } else if let Some(coding) = value(field, b"transfer-encoding") {
        if coding.trim_ascii().eq_ignore_ascii_case(b"chunked") {
            *body = BodyLength::Chunked;
        }
    } else if let Some(options) = value(field, b"connection") {
        for option in options.split_mut(|byte| *byte == b',') {
            mask(option);
        }
    } else if value(field, OFFER).is_some() {
        field[..OFFER.len()].copy_from_slice(INSTEAD);
    }
}

/// Returns whether a field says that the client waits for permission to send its body, and masks
/// it, because actix-http would give permission before the request has been checked. Before
/// HTTP/1.1 there is no such response (RFC 9110, section 10.1.1).
fn read_expectation(request_line: &[u8], field: &mut [u8]) -> bool {
    if !request_line.trim_ascii_end().ends_with(b"HTTP/1.1") {
        return false;
    }
    let Some(expectations) = value(field, EXPECT) else {
        return false;
    };
    let mut expectations = expectations.split(|byte| *byte == b',');
    let waits = expectations.any(|one| one.trim_ascii().eq_ignore_ascii_case(b"100-continue"));
    if waits {
        field[..EXPECT.len()].copy_from_slice(EXPECT_INSTEAD);
    }
    waits
}

/// Returns whether a value is `uri-host [ ":" port ]` (RFC 9112, section 3.2). It is empty if the
/// target has no authority.
fn is_host(value: &[u8]) -> bool {
    let colon = value.iter().rposition(|byte| *byte == b':');
    let (host, port) = match colon {
        Some(colon) if !value.ends_with(b"]") => (&value[..colon], &value[colon + 1..]),
        _ => (value, &[][..]),
    };
    let is_in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(byte);
    let is_named = match host.strip_prefix(b"[") {
        Some(host) => {
            let address = host.strip_suffix(b"]").map(std::str::from_utf8);
            matches!(address, Some(Ok(address)) if address.parse::<Ipv6Addr>().is_ok())
        }
        None => host.iter().all(is_in_name),
    };
    is_named && port.iter().all(u8::is_ascii_digit)
}

/// Returns the value of a field if it has this name.
fn value<'f>(field: &'f mut [u8], name: &[u8]) -> Option<&'f mut [u8]> {
    let (field_name, rest) = field.split_at_mut_checked(name.len())?;
    let (b':', value) = rest.split_first_mut()? else {
        return None;
    };
    field_name.eq_ignore_ascii_case(name).then_some(value)
}

fn mask(option: &mut [u8]) {
    let before = option.len() - option.trim_ascii_start().len();
    let name = option.trim_ascii().len();
    let name = &mut option[before..before + name];
    if name.eq_ignore_ascii_case(OFFER) {
        name.copy_from_slice(INSTEAD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Head> {
        read(&mut text.as_bytes().to_vec(), &mut 0)
    }

    #[test]
    fn a_head_ends_with_an_empty_line_however_its_lines_end() {
        for (text, length) in [
            ("GET / HTTP/1.1\r\n\r\nrest", Some(18)),
            ("GET / HTTP/1.1\n\nrest", Some(16)),
            ("GET / HTTP/1.1\r\nHost: x\n\r\nrest", Some(26)),
            ("GET / HTTP/1.1\r\nHost: x\r\n\r", None),
            ("GET / HTTP/1.1\r\n", None),
            ("", None),
        ] {
            assert_eq!(of(text).map(|head| head.length), length, "{text:?}");
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_in_brackets_with_a_port_or_without() {
        for host in [
            "",
            "x",
            "LOCALHOST:80",
            "a_b.c~d",
            "127.0.0.1:",
            "[::1]",
            "[::1]:80",
        ] {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for host in [
            "a b", "a:b", "a/b", "%zz", "%", "[]", "[....]", "[:::::]", "[abc]", "[::1", "u@h",
        ] {
            assert!(!is_host(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn empty_lines_may_stand_before_a_head() {
        for (text, length) in [
            ("", 0),
            ("\r\n\r\nGET", 4),
            ("\n\r\nGET", 0),
            ("\r", 0),
            ("\r\rGET", 0),
        ] {
            assert_eq!(empty_lines(text.as_bytes()), length, "{text:?}");
        }
    }

    #[test]
    fn a_head_that_comes_byte_by_byte_is_found_when_its_last_byte_is_there() {
        let whole = b"POST / HTTP/1.1\r\nContent-Length: 7\r\n\r\n";
        let mut seen = 0;
        for length in 0..whole.len() {
            assert_eq!(read(&mut whole[..length].to_vec(), &mut seen), None);
        }
        let head = read(&mut whole.to_vec(), &mut seen).expect("all of it is there");
        assert_eq!(
            (head.length, head.body),
            (whole.len(), BodyLength::Sized(7))
        );
        assert_eq!(seen, 0);
    }

    #[test]
    fn a_line_that_ends_with_lf_alone_is_a_fault_of_its_head() {
        for (text, is_fault) in [
            ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", false),
            ("GET / HTTP/1.1\nHost: x\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: x\nX: y\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nHost: x\r\n\n", true),
            ("GET / HTTP/1.1\n\n", true),
            ("\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", true),
            ("\n\n", true),
        ] {
            let head = of(text).expect("a head");
            assert_eq!(head.fault.is_some(), is_fault, "{text:?}");
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port_and_is_there_once() {
        for (fields, is_fault) in [
            ("Host: localhost", false),
            ("HOST:\tLocalhost:8080 ", false),
            ("Host: [::1]:80", false),
            ("Host: [::ffff:127.0.0.1]", false),
            ("Host: 127.0.0.1:", false),
            ("Host: _a-b.example", false),
            ("Host:", false),
            ("Hosts: a b", false),
            ("X: y", false),
            ("Host: a b", true),
            ("Host: ::1", true),
            ("Host: [::1", true),
            ("Host: [::1]80", true),
            ("Host: localhost:http", true),
            ("Host: localhost:80:80", true),
            ("Host: user@localhost", true),
            ("Host: http://localhost", true),
            ("Host: localhost/evil", true),
            ("Host: \u{e9}", true),
            ("Host: a\r\nHost: a", true),
            ("Host: a\r\nX: y\r\nhost:", true),
        ] {
            let head = of(&format!("GET / HTTP/1.1\r\n{fields}\r\n\r\n"));
            assert_eq!(
                head.expect("a head").fault.is_some(),
                is_fault,
                "{fields:?}"
            );
        }
    }

    #[test]
    fn the_body_is_as_long_as_its_fields_say() {
        for (fields, body) in [
            ("", BodyLength::Sized(0)),
            ("Content-Length: 17", BodyLength::Sized(17)),
            ("CONTENT-LENGTH:\t0017 ", BodyLength::Sized(17)),
            ("Content-Length: many", BodyLength::Sized(0)),
            ("Content-Length: 99999999999999999999", BodyLength::Sized(0)),
            ("Content-Language: 17", BodyLength::Sized(0)),
            ("Transfer-Encoding: chunked", BodyLength::Chunked),
            ("transfer-encoding:Chunked", BodyLength::Chunked),
            ("Transfer-Encoding: gzip", BodyLength::Sized(0)),
            (
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                BodyLength::Chunked,
            ),
            (
                "X: 1\r\nUpgrade: websocket\r\nContent-Length: 5",
                BodyLength::Sized(5),
            ),
        ] {
            let head = of(&format!("POST / HTTP/1.1\r\n{fields}\r\n\r\n"));
            assert_eq!(head.expect("a head").body, body, "{fields:?}");
        }
    }

    #[test]
    fn a_client_that_waits_for_permission_is_detected_and_hidden_from_actix_http() {
        for (version, field, waits) in [
            ("1.1", "Expect: 100-continue", true),
            ("1.1", "expect:100-Continue", true),
            ("1.1", "EXPECT: x , 100-continue", true),
            ("1.1", "Expect: 200-ok", false),
            ("1.1", "Expected: 100-continue", false),
            ("1.0", "Expect: 100-continue", false),
        ] {
            let text = format!("POST / HTTP/{version}\r\n{field}\r\nContent-Length: 5\r\n\r\n");
            let mut bytes = text.into_bytes();
            let head = read(&mut bytes, &mut 0).expect("a head");
            assert_eq!(head.waits, waits, "{version} {field}");
            assert_eq!(head.body, BodyLength::Sized(5));
            let masked = String::from_utf8_lossy(&bytes).contains("x-wait");
            assert_eq!(masked, waits, "{version} {field}");
        }
    }

    #[test]
    fn offers_to_upgrade_are_masked_and_nothing_else_is() {
        let head = "GET /Upgrade HTTP/1.1\r\nUpgrade: h2c\r\nUpgrades: 1\r\nupgrade-insecure-requests: 1\r\n\
                    Connection: keep-alive,UPGRADE , HTTP2-Settings\r\nconnection:upgrade\r\nX: upgrade\r\n\r\n";
        let mut bytes = head.as_bytes().to_vec();
        read(&mut bytes, &mut 0).expect("a head");
        let expected = "GET /Upgrade HTTP/1.1\r\nx-offer: h2c\r\nUpgrades: 1\r\nupgrade-insecure-requests: 1\r\n\
                        Connection: keep-alive,x-offer , HTTP2-Settings\r\nconnection:x-offer\r\nX: upgrade\r\n\r\n";
        assert_eq!(String::from_utf8_lossy(&bytes), expected);
    }
}
