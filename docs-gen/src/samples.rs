//! A call in four languages. What is copied runs: every value stands in a quoted string or is
//! JSON that the language reads as the same JSON.

use docent_describe::json::{Decimal, Json, push_quoted};
use serde::Serialize;

use crate::access::CREDENTIAL;
use crate::call::Address;
use crate::json_text;
use crate::markup::Markup;

/// A message longer than this makes no sample; the form to try the call still takes it.
pub(crate) const LONGEST: usize = 8_000;

/// The address in a sample if the description has none.
const UNKNOWN: &str = "https://service.example/rpc";

/// A call in one language.
#[derive(Debug, Serialize)]
pub(crate) struct Sample {
    pub(crate) key: &'static str,
    pub(crate) name: &'static str,
    pub(crate) code: Markup,
}

/// The call in every language, with a token to be filled in where one is needed; none where its
/// message is too long to be read.
pub(crate) fn all(
    address: Option<&Address>,
    request: &Json,
    takes_token: bool,
) -> Option<Vec<Sample>> {
    let printed = json_text::pretty(request, LONGEST);
    let message = printed.whole.then_some(printed.text)?;
    let address = address_text(address);
    let mut headers = vec![("Content-Type", "application/json")];
    if takes_token {
        headers.push(("Authorization", CREDENTIAL));
    }
    Some(vec![
        Sample {
            key: "curl",
            name: "curl",
            code: curl(&address, &headers, &message),
        },
        Sample {
            key: "javascript",
            name: "JavaScript",
            code: javascript(&address, &headers, request, &message),
        },
        Sample {
            key: "python",
            name: "Python",
            code: python(&address, &headers, request, &message),
        },
        Sample {
            key: "rust",
            name: "Rust",
            code: rust(&address, &headers, &message),
        },
    ])
}

/// The address. One that only the browser can complete is marked, for the script to do so.
pub(crate) fn address_text(address: Option<&Address>) -> Markup {
    let mut markup = Markup::new();
    match address {
        Some(Address {
            text,
            relative: false,
        }) => markup.text(text),
        Some(Address {
            text,
            relative: true,
        }) => markup
            .raw("<span data-address=\"")
            .text(text)
            .raw("\">")
            .text(UNKNOWN)
            .raw("</span>"),
        None => markup.text(UNKNOWN),
    };
    markup
}

/// A single-quoted word of a POSIX shell, in which nothing has a meaning but the quote.
fn shell(text: &str) -> String {
    text.replace('\'', r"'\''")
}

/// Header fields, by name and value.
type Headers = [(&'static str, &'static str)];

/// Header fields as options of curl, each on a line of its own.
fn curl_options(headers: &Headers) -> String {
    let options = headers.iter();
    let options = options.map(|(name, value)| format!(" \\\n  -H '{name}: {value}'"));
    options.collect()
}

fn curl(address: &Markup, headers: &Headers, message: &str) -> Markup {
    let mut code = Markup::new();
    code.text("curl -sS '")
        .markup(address)
        .text("'")
        .text(&curl_options(headers))
        .text(" \\\n  --data-raw '")
        .text(&shell(message))
        .text("'");
    code
}

/// The call with GET.
pub(crate) fn get(address: Option<&Address>, target: &str, takes_token: bool) -> Option<Markup> {
    // Behind a query or a fragment there is no place for a path.
    if address.is_some_and(|address| address.text.contains(['?', '#'])) {
        return None;
    }
    let mut code = Markup::new();
    code.text("curl -sS '")
        .markup(&address_text(address))
        .text(target)
        .text("'");
    if takes_token {
        code.text(&curl_options(&[("Authorization", CREDENTIAL)]));
    }
    Some(code)
}

/// Header fields as a literal that JavaScript and Python read alike: on one line if there is one.
fn literal(headers: &Headers, indent: &str) -> String {
    let fields = headers.iter();
    let fields: Vec<_> = fields
        .map(|(name, value)| format!("\"{name}\": \"{value}\""))
        .collect();
    match &*fields {
        [only] => format!("{{{only}}}"),
        fields => {
            let line = format!(",\n{indent}    ");
            format!("{{\n{indent}    {},\n{indent}}}", fields.join(&line))
        }
    }
}

fn javascript(address: &Markup, headers: &Headers, request: &Json, message: &str) -> Markup {
    let body = if survives_doubles(request) {
        format!("JSON.stringify({})", indented(message))
    } else {
        // A number would be rounded, or a name would change the object's prototype: the text is
        // what is sent.
        quoted(&json_text::compact(request))
    };
    let mut code = Markup::new();
    code.text("const response = await fetch(\"")
        .markup(address)
        .text("\", {\n  method: \"POST\",\n  headers: ")
        .text(&literal(headers, "  "))
        .text(",\n  body: ")
        .text(&body)
        .text(",\n});\nconsole.log(await response.text());");
    code
}

fn python(address: &Markup, headers: &Headers, request: &Json, message: &str) -> Markup {
    let data = if survives_doubles(request) {
        format!("json.dumps({}).encode()", to_python(&indented(message)))
    } else {
        format!("{}.encode()", quoted(&json_text::compact(request)))
    };
    let mut code = Markup::new();
    code.text(
        "import json\nfrom urllib.request import Request, urlopen\n\nrequest = Request(\n    \"",
    )
    .markup(address)
    .text("\",\n    data=")
    .text(&data)
    .text(",\n    headers=")
    .text(&literal(headers, "    "))
    .text(",\n)\nwith urlopen(request) as response:\n    print(json.load(response))");
    code
}

fn rust(address: &Markup, headers: &Headers, message: &str) -> Markup {
    let mut hashes = String::from("#");
    while message.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let mut code = Markup::new();
    code.text("// cargo add ureq@3\nlet answer = ureq::post(\"")
        .markup(address)
        .text("\")");
    for (name, value) in headers {
        code.text(&format!("\n    .header(\"{name}\", \"{value}\")"));
    }
    code.text("\n    .send(r")
        .text(&hashes)
        .text("\"")
        .text(message)
        .text("\"")
        .text(&hashes)
        .text(")?\n    .body_mut()\n    .read_to_string()?;\nprintln!(\"{answer}\");");
    code
}

fn indented(message: &str) -> String {
    message.replace('\n', "\n  ")
}

/// A string literal of JavaScript and of Python alike. JSON's escapes are theirs too.
fn quoted(text: &str) -> String {
    let mut literal = String::new();
    push_quoted(&mut literal, text);
    literal
}

/// Whether every number is the same after it has been a double, and no member's name means
/// something to JavaScript.
fn survives_doubles(value: &Json) -> bool {
    match value {
        Json::Number(text) => survives(text),
        Json::Array(elements) => elements.iter().all(survives_doubles),
        Json::Object(members) => members
            .iter()
            .all(|(name, member)| name != "__proto__" && survives_doubles(member)),
        _ => true,
    }
}

fn survives(text: &str) -> bool {
    if text.len() > 40
        || text.starts_with("-0") && !text.contains(|digit: char| ('1'..='9').contains(&digit))
    {
        return false;
    }
    match text.parse::<f64>() {
        Ok(double) if double.is_finite() => {
            Decimal::new(&format!("{double:e}")) == Decimal::new(text)
        }
        _ => false,
    }
}

/// JSON's three words, as Python spells them, outside of strings.
fn to_python(json: &str) -> String {
    let mut python = String::with_capacity(json.len() + 16);
    let mut rest = json;
    while let Some(at) = rest.find(['"', 't', 'f', 'n']) {
        python.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match rest.as_bytes()[0] {
            b'"' => {
                let length = string_length(rest);
                python.push_str(&rest[..length]);
                length
            }
            b't' => {
                python.push_str("True");
                4
            }
            b'f' => {
                python.push_str("False");
                5
            }
            _ => {
                python.push_str("None");
                4
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    python.push_str(rest);
    python
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(json: &str) -> Vec<String> {
        let request: Json = json.parse().expect("JSON");
        let address = Address::new("https://a.example/rpc", false);
        all(address.as_ref(), &request, false)
            .expect("short enough")
            .into_iter()
            .map(|sample| {
                sample
                    .code
                    .as_str()
                    .replace("&quot;", "\"")
                    .replace("&#39;", "'")
            })
            .collect()
    }

    #[test]
    fn a_quote_does_not_end_the_shells_word() {
        let curl = &samples(r#"{"params": ["'; rm -rf ~ #", "$(id)", "`id`", "@/etc/passwd"]}"#)[0];
        assert!(curl.contains(r"'\''; rm -rf ~ #"), "{curl}");
        assert!(curl.contains("--data-raw '{"), "{curl}");
    }

    #[test]
    fn a_number_that_a_double_cannot_hold_is_sent_as_text() {
        for number in [
            "12345678901234567890",
            "1e400",
            "0.1000000000000000055",
            "-0",
        ] {
            let all = samples(&format!(r#"{{"params": [{number}]}}"#));
            assert!(
                all[1].contains(&format!(r#"body: "{{\"params\": [{number}]}}""#)),
                "{}",
                all[1]
            );
            assert!(all[2].contains("\".encode()"), "{}", all[2]);
        }
        assert!(
            samples(r#"{"params": [1.5, 0.1, 9007199254740991]}"#)[1].contains("JSON.stringify")
        );
    }

    #[test]
    fn a_prototype_is_not_set() {
        assert!(!samples(r#"{"params": {"__proto__": 1}}"#)[1].contains("JSON.stringify"));
    }

    #[test]
    fn python_gets_its_own_words_outside_of_strings() {
        let python = &samples(r#"{"a": [true, false, null, "true \" null"]}"#)[2];
        assert!(
            python.contains(r#"[True, False, None, "true \" null"]"#),
            "{python}"
        );
    }

    #[test]
    fn a_raw_string_of_rust_ends_where_it_should() {
        let rust = &samples(r##"{"a": "\"#"}"##)[3];
        assert!(rust.contains("send(r##\""), "{rust}");
    }
}
