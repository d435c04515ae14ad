//! A call in four languages. What is copied runs: every value stands in a quoted string or is
//! JSON that the language reads as the same JSON.

use docent_describe::json::{Decimal, Json, push_quoted};
use serde::Serialize;

use crate::access::CREDENTIAL;
use crate::call::Address;
use crate::json_text;
use crate::markup::{Form, Markup};

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
    form: Form,
    address: Option<&Address>,
    request: &Json,
    takes_token: bool,
) -> Option<Vec<Sample>> {
    let printed = json_text::pretty(request, LONGEST);
    let message = printed.whole.then_some(printed.text)?;
    let url = url(address);
    let mut headers = vec![("Content-Type", "application/json")];
    if takes_token {
        headers.push(("Authorization", CREDENTIAL));
    }
    let sample = |key, name, code: &str| Sample {
        key,
        name,
        code: block(form, address, code),
    };
    Some(vec![
        sample("curl", "curl", &curl(url, &headers, &message)),
        sample(
            "javascript",
            "JavaScript",
            &javascript(url, &headers, request, &message),
        ),
        sample(
            "python",
            "Python",
            &python(url, &headers, request, &message),
        ),
        sample("rust", "Rust", &rust(url, &headers, &message)),
    ])
}

/// The address in a sample.
fn url(address: Option<&Address>) -> &str {
    match address {
        Some(Address {
            text,
            relative: false,
        }) => text,
        _ => UNKNOWN,
    }
}

/// Code that calls an address. One that only the browser can complete is marked, for the script to
/// do so; it comes before everything that a description says.
fn block(form: Form, address: Option<&Address>, code: &str) -> Markup {
    let relative = address.filter(|address| address.relative && form == Form::Html);
    let Some((address, (before, after))) = relative.zip(code.split_once(UNKNOWN)) else {
        return Markup::block(form, "", code);
    };
    let mut markup = Markup::new(form);
    markup
        .text(before)
        .raw("<span data-address=\"")
        .text(&address.text)
        .raw("\">")
        .text(UNKNOWN)
        .raw("</span>")
        .text(after);
    markup
}

/// The address by itself.
pub(crate) fn address(form: Form, address: &Address) -> Markup {
    let mut markup = Markup::new(form);
    match form {
        Form::Html => markup
            .raw("<code>")
            .markup(&block(form, Some(address), url(Some(address))))
            .raw("</code>"),
        Form::Markdown => markup.code(&address.text),
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

fn curl(url: &str, headers: &Headers, message: &str) -> String {
    let options = curl_options(headers);
    let message = shell(message);
    format!("curl -sS '{url}'{options} \\\n  --data-raw '{message}'")
}

/// The call with GET.
pub(crate) fn get(
    form: Form,
    address: Option<&Address>,
    target: &str,
    takes_token: bool,
) -> Option<Markup> {
    // Behind a query or a fragment there is no place for a path.
    if address.is_some_and(|address| address.text.contains(['?', '#'])) {
        return None;
    }
    let mut code = format!("curl -sS '{}{target}'", url(address));
    if takes_token {
        code.push_str(&curl_options(&[("Authorization", CREDENTIAL)]));
    }
    Some(block(form, address, &code))
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

fn javascript(url: &str, headers: &Headers, request: &Json, message: &str) -> String {
    let body = if survives_doubles(request) {
        format!("JSON.stringify({})", indented(message))
    } else {
        // A number would be rounded, or a name would change the object's prototype: the text is
        // what is sent.
        quoted(&json_text::compact(request))
    };
    let headers = literal(headers, "  ");
    format!(
        "const response = await fetch(\"{url}\", {{\n  method: \"POST\",\n  headers: {headers},\n  body: {body},\n}});\n\
         console.log(await response.text());"
    )
}

fn python(url: &str, headers: &Headers, request: &Json, message: &str) -> String {
    let data = if survives_doubles(request) {
        format!("json.dumps({}).encode()", to_python(&indented(message)))
    } else {
        format!("{}.encode()", quoted(&json_text::compact(request)))
    };
    let headers = literal(headers, "    ");
    format!(
        "import json\nfrom urllib.request import Request, urlopen\n\n\
         request = Request(\n    \"{url}\",\n    data={data},\n    headers={headers},\n)\n\
         with urlopen(request) as response:\n    print(json.load(response))"
    )
}

fn rust(url: &str, headers: &Headers, message: &str) -> String {
    let mut hashes = String::from("#");
    while message.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    let headers = headers.iter();
    let headers: Vec<_> = headers
        .map(|(name, value)| format!("\n    .header(\"{name}\", \"{value}\")"))
        .collect();
    let headers = headers.concat();
    format!(
        "// cargo add ureq@3\nlet answer = ureq::post(\"{url}\"){headers}\n    \
         .send(r{hashes}\"{message}\"{hashes})?\n    \
         .body_mut()\n    .read_to_string()?;\nprintln!(\"{{answer}}\");"
    )
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
        all(Form::Html, address.as_ref(), &request, false)
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
