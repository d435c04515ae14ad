//! Encodings, control characters and whitespace.

use crate::broken::{PARSE_ERROR, VALID, echo};
use crate::{assert_outcomes, service};

#[test]
fn what_is_not_utf_8_is_a_parse_error() {
    let sequences: &[&[u8]] = &[
        b"\xff",
        b"\xfe",
        b"\x80",
        b"\xbf",
        b"\xc0\x80",
        b"\xc1\xbf",
        b"\xc2",
        b"\xc2\x20",
        b"\xe0\x80\x80",
        b"\xe0\x9f\xbf",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        b"\xed\xbf\xbf",
        b"\xf0\x80\x80\x80",
        b"\xf0\x9f\x98",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
        b"\xf8\x88\x80\x80\x80",
        b"\xfc\x84\x80\x80\x80\x80",
    ];
    let service = service();
    for sequence in sequences {
        let quoted = [b"\"", *sequence, b"\""].concat();
        assert_outcomes(&service, &[(echo(&quoted), PARSE_ERROR)]);
        assert_outcomes(
            &service,
            &[([VALID.as_bytes(), sequence].concat(), PARSE_ERROR)],
        );
        assert_outcomes(
            &service,
            &[([sequence, VALID.as_bytes()].concat(), PARSE_ERROR)],
        );
        let name = [
            b"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"id\":1,\"",
            *sequence,
            b"\":1}",
        ]
        .concat();
        assert_outcomes(&service, &[(name, PARSE_ERROR)]);
    }
    let utf_16 = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        VALID.encode_utf16().flat_map(to_bytes).collect()
    };
    assert_outcomes(&service, &[(utf_16(u16::to_le_bytes), PARSE_ERROR)]);
    assert_outcomes(&service, &[(utf_16(u16::to_be_bytes), PARSE_ERROR)]);
}

#[test]
fn a_byte_order_mark_is_a_parse_error() {
    let body = format!("\u{feff}{VALID}");
    assert_outcomes(&service(), &[(body, PARSE_ERROR)]);
}

#[test]
fn control_characters_are_no_part_of_strings_and_only_four_bytes_are_whitespace() {
    let service = service();
    for byte in (0..=0x1f).chain([0x7f]) {
        let in_string = echo(&[b'"', byte, b'"']);
        let expected = if byte == 0x7f {
            "\"\u{7f}\" #1"
        } else {
            PARSE_ERROR
        };
        assert_outcomes(&service, &[(in_string, expected)]);
        let in_name = [
            b"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"id\":1,\"",
            &[byte][..],
            b"\":1}",
        ]
        .concat();
        let expected = if byte == 0x7f { "0 #1" } else { PARSE_ERROR };
        assert_outcomes(&service, &[(in_name, expected)]);
        let expected = if b" \t\n\r".contains(&byte) {
            "1 #1"
        } else {
            PARSE_ERROR
        };
        assert_outcomes(&service, &[(echo(&[byte, b'1', byte]), expected)]);
        let around = [&[byte], &echo(b"1")[..], &[byte]].concat();
        assert_outcomes(&service, &[(around, expected)]);
    }
}

#[test]
fn whitespace_may_stand_between_any_two_tokens() {
    let tokens = [
        "",
        "{",
        "\"jsonrpc\"",
        ":",
        "\"2.0\"",
        ",",
        "\"method\"",
        ":",
        "\"subtract\"",
        ",",
        "\"params\"",
        ":",
        "{",
        "\"minuend\"",
        ":",
        "42",
        ",",
        "\"subtrahend\"",
        ":",
        "23",
        "}",
        ",",
        "\"id\"",
        ":",
        "1",
        "}",
        "",
    ];
    let service = service();
    for space in [" ", "\t", "\n", "\r", " \r\n\t "] {
        assert_outcomes(&service, &[(tokens.join(space), "19 #1")]);
    }
}
