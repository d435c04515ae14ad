//! Each format, with texts that it accepts and texts that it rejects.

use super::Format;
use crate::pattern::Pattern;

#[track_caller]
fn table(name: &str, fitting: &[&str], others: &[&str]) {
    let format = Format::find(name).or(Format::encoding(name));
    let format = format.expect(name);
    assert_eq!(format.name, name);
    for text in fitting {
        assert!(format.admits(text), "{name} {text:?}");
    }
    for text in others {
        assert!(!format.admits(text), "{name} {text:?}");
    }
    // These texts have no format at all.
    for text in ["\0", "é", "a b\n", "\u{1F600}", "٢٠٢٦-01-31"] {
        if !matches!(name, "regex" | "json-pointer") {
            assert!(!format.admits(text), "{name} {text:?}");
        }
    }
}

#[test]
fn each_format_that_is_enforced_has_a_table() {
    let tables: Vec<&str> = include_str!("tests.rs")
        .split("table(")
        .map(str::trim_start)
        .collect();
    for format in Format::all().filter(|format| format.is_enforced()) {
        let name = format!("\"{}\"", format.name);
        assert!(
            tables.iter().any(|table| table.starts_with(&name)),
            "describe/src/schema/format/tests.rs has no texts that {name} accepts and rejects"
        );
    }
}

#[test]
fn dates_are_days_that_there_are() {
    table(
        "date",
        &[
            "2026-01-31",
            "2024-02-29",
            "2000-02-29",
            "0000-01-01",
            "9999-12-31",
            "2026-04-30",
        ],
        &[
            "",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-1-1",
            "26-01-01",
            "02026-01-01",
            "2026-01-31T",
            "2026-01-31 ",
            " 2026-01-31",
            "2026/01/31",
            "20260131",
            "-026-01-01",
            "+026-01-01",
            "2026-W01-1",
            "2026-001",
        ],
    );
}

#[test]
fn times_have_an_offset() {
    table(
        "time",
        &[
            "12:00:00Z",
            "00:00:00z",
            "23:59:59.999999999999Z",
            "12:00:00+14:00",
            "12:00:00-00:00",
            "23:59:60Z",
            "23:59:60.5Z",
            "15:59:60-08:00",
            "00:59:60+01:00",
            "05:29:60+05:30",
            "01:02:03+23:59",
        ],
        &[
            "",
            "12:00:00",
            "12:00Z",
            "24:00:00Z",
            "12:60:00Z",
            "12:00:61Z",
            "12:00:00.Z",
            "12:00:00,5Z",
            "12:00:00+1:00",
            "12:00:00+0100",
            "12:00:00+24:00",
            "12:00:00+01:60",
            "12:00:00 Z",
            "22:59:60Z",
            "23:58:60Z",
            "23:59:60+01:00",
            "15:59:60+08:00",
            "1:00:00Z",
            "T12:00:00Z",
            "12:00:00ZZ",
            "12:00:00.5",
            "-1:00:00Z",
        ],
    );
}

#[test]
fn leap_seconds_end_june_or_december() {
    table(
        "date-time",
        &[
            "2026-01-31T12:00:00Z",
            "2026-01-31t12:00:00z",
            "1985-04-12T23:20:50.52Z",
            "1996-12-19T16:39:57-08:00",
            "1990-12-31T23:59:60Z",
            "1990-12-31T15:59:60-08:00",
            "1991-01-01T00:59:60+01:00",
            "2012-07-01T08:59:60+09:00",
            "2012-06-30T23:59:60.25Z",
            "2024-02-29T00:00:00+00:00",
        ],
        &[
            "",
            "2026-01-31",
            "12:00:00Z",
            "2026-01-31 12:00:00Z",
            "2026-01-31T12:00:00",
            "2026-02-29T12:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T12:00:00+1",
            "1990-12-31T23:59:61Z",
            "1990-12-31T22:59:60Z",
            "1990-12-30T23:59:60Z",
            "1990-12-31T23:59:60+01:00",
            "1990-11-30T23:59:60Z",
            "2026-01-31T12:00:00Z ",
            "2026-01-3éT12:00:00Z",
            "202é-12-3T23:59:60Z",
            "2026-01-31TT12:00:00Z",
        ],
    );
}

#[test]
fn durations_have_units_in_order() {
    table(
        "duration",
        &[
            "P1D",
            "P1Y2M3DT4H5M6S",
            "PT36H",
            "P1DT12H",
            "P4W",
            "PT0S",
            "P0D",
            "P1M",
            "PT1M",
            "PT1H30S",
            "P1Y1D",
            "P00012345678901234567890D",
        ],
        &[
            "", "P", "PT", "P1", "1D", "P1DT", "P1S", "PT1D", "P2D1Y", "PT1S1M", "P1Y2W", "P1WT1H",
            "PW", "P1.5D", "PT1.5S", "P-1D", "-P1D", "P1H", "p1d", "P1D1D", "PT1HT1M", "P 1D",
            "P1W1W",
        ],
    );
}

#[test]
fn addresses_have_a_local_part_and_a_domain() {
    let long = format!("{}@example.org", "a".repeat(64));
    let too_long = format!("{}@example.org", "a".repeat(65));
    let far = format!("a@{}", ["a".repeat(63).as_str(); 5].join("."));
    table(
        "email",
        &[
            "reader@example.org",
            "a@b",
            "a.b+c@d-e.f",
            "te~st@example.com",
            "~t~@example.com",
            "\"joe bloggs\"@example.com",
            "\"joe@bloggs\"@example.com",
            "\"a\\\"b\"@example.com",
            "\"\"@example.com",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@xn--bcher-kva.example",
            &long,
        ],
        &[
            "",
            "no mail",
            "reader",
            "@example.org",
            "reader@",
            ".a@b",
            "a.@b",
            "a..b@c",
            "a b@c",
            "a@b c",
            "a@-b",
            "a@b-",
            "a@b..c",
            "a@b.",
            "a@.b",
            "a@b@c",
            "a@[127.0.0.300]",
            "a@[::1]",
            "a@[IPv6:127.0.0.1",
            "\"a\"b@c",
            "\"a@c",
            "\"a\"\"@c",
            "a@b=c",
            "Winston <a@b>",
            "a@b,c@d",
            "ä@b",
            "a@ä",
            &too_long,
            &far,
        ],
    );
}

#[test]
fn host_names_are_labels() {
    let label = "a".repeat(63);
    let longest = [label.as_str(); 4].join(".").split_off(2);
    let too_long = [label.as_str(); 4].join(".");
    table(
        "hostname",
        &[
            "example.org",
            "localhost",
            "a",
            "1a",
            "a-b.c-d",
            "127.0.0.1",
            "xn--bcher-kva.example",
            "EXAMPLE.org",
            &label,
            &longest,
        ],
        &[
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "-a",
            "a-",
            "a.-b",
            "a_b",
            "a b",
            "a/b",
            "a:1",
            "bücher",
            "[::1]",
            "ab--cd",
            "xn--\u{301}",
            "xn--a-.b",
            &"a".repeat(64),
            &too_long,
        ],
    );
}

#[test]
fn addresses_of_hosts_are_as_in_their_documents() {
    table(
        "ipv4",
        &["192.0.2.1", "0.0.0.0", "255.255.255.255"],
        &[
            "",
            "192.0.2",
            "192.0.2.1.1",
            "256.0.0.1",
            "01.2.3.4",
            "1.2.3.4/24",
            "0x1.2.3.4",
            " 1.2.3.4",
            "1",
        ],
    );
    table(
        "ipv6",
        &[
            "::",
            "::1",
            "2001:db8::1",
            "1:2:3:4:5:6:7:8",
            "::ffff:192.0.2.1",
            "ABCD::",
        ],
        &[
            "",
            ":",
            ":::",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1::2::3",
            "12345::",
            "::1%eth0",
            "::1/64",
            "[::1]",
            "192.0.2.1",
        ],
    );
}

#[test]
fn uris_have_a_scheme_and_references_need_none() {
    let absolute = [
        "https://example.org/",
        "http://user:pw@host:80/a/b;c=1?q=a/b?c#f/?",
        "urn:uuid:6d1f",
        "mailto:a@b",
        "tel:+1-201-555",
        "file:///etc/hosts",
        "http://[2001:db8::1]:8080/",
        "urn:",
        "http://[v1.fe80::a+en1]/",
        "a+b-c.1:x",
        "http://a%20b/%C3%BC",
        "http://host:/",
        "x://",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "http://example.org/?q=%5B1%5D",
    ];
    let relative = [
        "",
        "/",
        "a",
        "a/b:c",
        "./a:b",
        "//host/path",
        "?q",
        "#f",
        "../a",
        "a?b:c#d:e",
        "*",
    ];
    let neither = [
        ":a",
        "://x",
        "1a:b",
        "http://a b",
        "http://a\\b",
        "http://[::1",
        "http://[::1]a/",
        "http://[::x]/",
        "http://[]/",
        "http://a:b/",
        "http://a]/",
        "a:[b]",
        "a#b#c",
        "a%2",
        "a%zz",
        "a<b>",
        "a{b}",
        "a|b",
        "a^b",
        "a`b",
        "a\"b",
        "http://é/",
        "http://user@a@b/",
        "ä:b",
        "http://[v1.]/",
        "http://[v.a]/",
    ];
    table("uri", &absolute, &[&relative[..], &neither].concat());
    table(
        "uri-reference",
        &[&absolute[..], &relative].concat(),
        &neither,
    );
}

#[test]
fn uuids_have_hyphens() {
    table(
        "uuid",
        &[
            "3f2a8c1e-7b4d-4e0a-9c5f-1d2e3f4a5b6c",
            "00000000-0000-0000-0000-000000000000",
            "FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF",
        ],
        &[
            "",
            "3f2a8c1e7b4d4e0a9c5f1d2e3f4a5b6c",
            "{3f2a8c1e-7b4d-4e0a-9c5f-1d2e3f4a5b6c}",
            "urn:uuid:3f2a8c1e-7b4d-4e0a-9c5f-1d2e3f4a5b6c",
            "3f2a8c1e-7b4d-4e0a-9c5f-1d2e3f4a5b6",
            "3f2a8c1e-7b4d-4e0a-9c5f-1d2e3f4a5b6cd",
            "3f2a8c1g-7b4d-4e0a-9c5f-1d2e3f4a5b6c",
            "3f2a8c1-e7b4d-4e0a-9c5f-1d2e3f4a5b6c",
        ],
    );
}

#[test]
fn pointers_are_made_of_tokens() {
    table(
        "json-pointer",
        &["", "/", "/a", "/a/b~0c~1d", "//", "/é/ /%"],
        &["a", "#", "#/a", "/a~", "/~2", "/a~~0"],
    );
    table(
        "relative-json-pointer",
        &["0", "1/a", "0#", "12/a/~0", "2/"],
        &["", "/a", "01", "-1", "1#/a", "1a", "0##", "1/~2", "+1"],
    );
}

#[test]
fn regular_expressions_are_those_of_ecma_262() {
    // A caller's text is read only up to the maximum length of a pattern.
    let format = Format::find("regex").expect("a format");
    assert!(format.admits(&"a".repeat(10_000)));
    assert!(format.admits(&"\\p{L}[\\p{L}\\P{Lu}]".repeat(500)));
    assert!(!format.admits(&"a".repeat(10_001)));
    table(
        "regex",
        &["", "^[a-z]+$", r"\d", "(?=a)", r"(a)\1"],
        &["(", "[", r"\z", "(?i)a", "a**"],
    );
}

#[test]
fn bytes_are_written_in_one_way_only() {
    table(
        "base64",
        &["", "AAEC/w==", "YWJj", "aGk=", "++//", "AA==", "//8="],
        &[
            "AAEC/w",
            "aGk",
            "aGk==",
            "aGl=",
            "//==",
            "AB==",
            "A===",
            "=",
            "====",
            "YW Jj",
            "YWJj\n",
            "YWJj\r\nYWJj",
            "-_-_",
            "YWJ!",
            "AA==AA==",
            "YWJjA",
        ],
    );
}

#[test]
fn what_the_table_says_of_a_format_agrees() {
    for format in Format::all().chain(Format::encodings()) {
        let name = format.name;
        let loose = format
            .loose_pattern()
            .map(|text| Pattern::new(text).expect(name));
        assert!(
            !format.examples.is_empty() && !format.phrase.is_empty(),
            "{name}"
        );
        assert!(format.pattern().is_none_or(Pattern::is_pattern), "{name}");
        for text in format.examples {
            assert!(
                format.admits(text) || !format.is_enforced(),
                "{name} {text}"
            );
            assert!(
                loose.as_ref().is_none_or(|loose| loose.is_match(text)),
                "{name} {text}"
            );
            // A text has no other format, but bytes may look like one.
            if Format::find(name).is_some() {
                for other in Format::all() {
                    let is_another = other.name != name && other.pattern().is_some();
                    assert!(
                        !is_another || !other.admits(text),
                        "{name} {text} is not a {}",
                        other.name
                    );
                }
            }
        }
        assert!(
            Format::all()
                .chain(Format::encodings())
                .filter(|other| other.name == name)
                .count()
                == 1,
            "{name}"
        );
    }
    let format = Format::find("date-time").expect("a format");
    let leap = "2016-12-31T15:59:60-08:00";
    let loose = Pattern::new(format.loose_pattern().expect("a pattern")).expect("a pattern");
    assert!(format.admits(leap) && loose.is_match(leap));
}
