//! Names, identifiers and addresses of a service and its procedures.

use docent_describe::{ProcedureDescription, ServiceDescription};
use url::Url;

use super::findings::Findings;
use super::registration::Previous;
use crate::service::mistakes::Mistake;

/// Checks the name, the identifier and the addresses of the service.
pub(super) fn check(description: &ServiceDescription, findings: &mut Findings) {
    let mut mistake = |text: String| findings.mistakes.push(Mistake::of_service(text));
    if description.name.is_empty() {
        mistake("the service needs a name".to_owned());
    }
    if !is_uri(&description.id) {
        let id = &description.id;
        mistake(format!(
            "the id {id:?} is not a URI (RFC 3986); use one such as \"urn:uuid:…\""
        ));
    }
    // The author's own text stays in the description: a parsed URL would come back with a slash
    // added or a port removed.
    if let Some(address) = &description.address {
        match parse_http("address", address) {
            Ok(url) => check_address(address, &url, &mut mistake),
            Err(problem) => mistake(problem),
        }
    }
    if let Some(help) = &description.help
        && let Err(problem) = parse_http("help", help)
    {
        mistake(problem);
    }
}

/// Parses a URL of the description.
fn parse_http(member: &str, text: &str) -> Result<Url, String> {
    let url = Url::parse(text).ok();
    url.filter(|url| matches!(url.scheme(), "http" | "https"))
        .ok_or_else(|| format!("the {member} {text:?} is not an absolute http or https URL"))
}

/// Checks that the addresses of procedures and pages can be made by adding to this one.
fn check_address(address: &str, url: &Url, mistake: &mut dyn FnMut(String)) {
    // A mount serves only the address without the slash.
    if url.path().len() > 1 && url.path().ends_with('/') {
        mistake(format!(
            "the address {address:?} must not end in a slash: calls to it would be 404"
        ));
    }
    let ends = [("query", url.query()), ("fragment", url.fragment())];
    for (part, _) in ends.iter().filter(|(_, value)| value.is_some()) {
        mistake(format!(
            "the address {address:?} must not have a {part}: the addresses of procedures and pages \
             are made by adding to it"
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        mistake(
            "the address must not contain a user name or password: anyone can read it".to_owned(),
        );
    }
}

/// Checks the name of a procedure.
pub(super) fn check_procedure_name(name: &str, findings: &mut Findings) {
    if let Some(reason) = refuse_procedure_name(name) {
        findings.mistake(name, reason);
    } else if !is_plain(name) {
        findings.warning(
            name,
            "some clients cannot use this name; A–Z a–z 0–9 - _ . are safe",
        );
    }
}

/// Returns the reason why a procedure cannot have this name; `None` if it can.
fn refuse_procedure_name(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("a name must not be empty");
    }
    if name == "." || name == ".." {
        return Some("a name must not be `.` or `..`: it is a segment of an address");
    }
    if name.contains('/') {
        return Some("a name must not contain `/`: it is one segment of an address");
    }
    if name.chars().any(char::is_control) {
        return Some("a name must not contain a control character");
    }
    if ProcedureDescription::reserves(name) {
        return Some("names that begin with `rpc.` or `system.` are reserved");
    }
    None
}

/// Returns whether all characters of a name are among those that every client can handle (1.1,
/// section 11, and the dot, which the draft forgot).
fn is_plain(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Returns whether a text is a URI (RFC 3986) with something after its scheme.
fn is_uri(text: &str) -> bool {
    docent_describe::schema::check::is_uri(text) && !text.ends_with(':')
}

/// Checks a service that extends another.
pub(super) fn check_extension(
    previous: Option<&Previous>,
    missing: &[String],
    description: &ServiceDescription,
    findings: &mut Findings,
) {
    if previous.is_some_and(|previous| previous.version == description.version) {
        findings.mistakes.push(Mistake::of_service(
            "a service that extends another needs a version of its own: call `.version(\"…\")`",
        ));
    }
    for name in missing {
        findings.mistake(
            name,
            "there is no procedure of this name to replace or remove",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_a_uri_in_its_authors_spelling() {
        for uri in [
            "urn:uuid:41544946-415a-495a-5645-454441534646",
            "http://example.com:80",
            "https://example.com/a%20b?c=d#e",
            "tag:example.com,2026:calculator",
            "mailto:a@b",
        ] {
            assert!(is_uri(uri), "{uri}");
        }
        for text in [
            "",
            "calculator",
            ":x",
            "1a:b",
            "urn:",
            "urn:a b",
            "urn:ü",
            "a:%zz",
            "a:#b#c",
            "a:<b>",
        ] {
            assert!(!is_uri(text), "{text}");
        }
    }

    #[test]
    fn a_name_that_would_not_survive_as_an_address_is_refused() {
        for name in [
            "",
            ".",
            "..",
            "a/b",
            "a\nb",
            "a\u{0}",
            "rpc.x",
            "system.describe",
            "rpc.",
        ] {
            assert!(refuse_procedure_name(name).is_some(), "{name:?}");
        }
        for name in [
            "sum",
            "book.find",
            "rpc",
            "rpcx",
            "システム",
            "a b",
            "...",
            "System.describe",
        ] {
            assert!(refuse_procedure_name(name).is_none(), "{name:?}");
        }
    }
}
