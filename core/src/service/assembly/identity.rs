//! Names, identifiers and addresses of a service and its procedures.
//!
//! These texts are published and end up in URLs, so they are checked before anyone depends on them.

use docent_describe::{ProcedureDescription, ServiceDescription};
use url::Url;

use super::findings::Findings;
use crate::service::registration::Registration;

/// Checks the name, the identifier, the version and the addresses of the service.
pub(super) fn check(
    description: &ServiceDescription,
    needs_version: bool,
    findings: &mut Findings,
) {
    if description.name.is_empty() {
        findings
            .mistake_of_service("the name of the service is empty; pass one to `Service::builder`");
    }
    if !is_uri(&description.id) {
        findings.mistake_of_service(format_args!(
            "the id {:?} is not a URI (RFC 3986); use one such as \"urn:uuid:…\"",
            description.id
        ));
    }
    if needs_version {
        findings.mistake_of_service(
            "a service that extends another needs a version of its own: call `.version(\"…\")`",
        );
    }
    if let Some(address) = &description.address
        && let Some(url) = checked_url("public_url", address, findings)
    {
        check_address(&url, findings);
    }
    if let Some(help) = &description.help {
        checked_url("help", help, findings);
    }
}

/// Returns the URL that an author has set, or reports why it is none. The author's own text stays in the
/// description: a parsed URL would come back with a slash added or a port removed.
fn checked_url(member: &str, text: &str, findings: &mut Findings) -> Option<Url> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Some(url),
        _ => {
            findings.mistake_of_service(format_args!(
                "the {member} {text:?} must be an absolute http or https URL"
            ));
            None
        }
    }
}

/// Checks that the addresses of procedures and pages can be made by adding to this one.
fn check_address(url: &Url, findings: &mut Findings) {
    let adds = "the paths of procedures and pages are appended to it";
    let ends_in_slash = url.path().len() > 1 && url.path().ends_with('/');
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    let mistakes = [
        // A mount serves only the address without the slash.
        (ends_in_slash, "end in a slash", "calls to it would get 404"),
        (url.query().is_some(), "have a query", adds),
        (url.fragment().is_some(), "have a fragment", adds),
        (
            has_credentials,
            "contain a user name or password",
            "anyone can read it",
        ),
    ];
    for (_, problem, reason) in mistakes.iter().filter(|(is_wrong, ..)| *is_wrong) {
        findings.mistake_of_service(format_args!("the public_url must not {problem}: {reason}"));
    }
}

/// Checks the name of a procedure.
pub(super) fn check_procedure_name(name: &str, findings: &mut Findings) {
    if let Some(reason) = procedure_name_mistake(name) {
        findings.mistake(name, reason);
    } else if !is_plain(name) {
        let text = "some clients cannot use this name; use only the characters A–Z a–z 0–9 - _ .";
        findings.warning(name, text);
    }
}

/// Checks the other names of `rpc.unsubscribe`.
pub(super) fn check_unsubscribe_aliases(registration: &Registration, findings: &mut Findings) {
    for alias in &registration.unsubscribe_aliases {
        check_procedure_name(alias, findings);
        if registration
            .procedures
            .iter()
            .any(|procedure| procedure.name == *alias)
        {
            let text = "`unsubscribe_alias` has the name of this procedure; choose another";
            findings.mistake(alias, text);
        }
    }
}

/// Returns the reason why a procedure cannot have this name; `None` if it can.
fn procedure_name_mistake(name: &str) -> Option<&'static str> {
    Some(if name.is_empty() {
        "a name must not be empty"
    } else if name == "." || name == ".." {
        "a name must not be `.` or `..`: it is a segment of an address"
    } else if name.contains('/') {
        "a name must not contain `/`: it is one segment of an address"
    } else if name.chars().any(char::is_control) {
        "a name must not contain a control character"
    } else if ProcedureDescription::reserves(name) {
        "names that begin with `rpc.` or `system.` are reserved"
    } else {
        return None;
    })
}

/// Returns whether all characters of a name are among those that every client can handle (1.1,
/// section 11, and the dot, which the draft forgot).
fn is_plain(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Returns whether a text is a URI (RFC 3986) with something after its scheme.
fn is_uri(text: &str) -> bool {
    docent_describe::schema::is_uri(text) && !text.ends_with(':')
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
            assert!(procedure_name_mistake(name).is_some(), "{name:?}");
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
            assert!(procedure_name_mistake(name).is_none(), "{name:?}");
        }
    }
}
