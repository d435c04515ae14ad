//! Compares the service as a whole: its name, its addresses, its security schemes, its components, and which procedures
//! it has.
//!
//! Procedures are the same if they have the same name. They are compared in `procedure.rs`.

use std::borrow::Cow;

use docent_describe::json::{Json, Object};
use docent_describe::{ProcedureDescription, ServiceDescription, is_older};
use indexmap::IndexMap;

use super::change::Document;
use super::phrase::{PhraseValue, phrase};
use super::procedure;
use super::report::ChangeReporter;
use super::rule::{Rule, Verdict};

/// The maximum number of procedures that a sentence names.
const MAX_NAMED: usize = 8;

/// Compares two versions of a service. Whether its version had to rise is known only once everything else is compared.
pub(super) fn compare<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    compare_identity(old, new, report);
    compare_formats(old, new, report);
    compare_carriers(old, new, report);
    compare_schemes(old, new, report);
    compare_components(old, new, report);
    compare_procedures(old, new, report);
    if let Some(version) = &new.version
        && new.version == old.version
        && report
            .changes
            .all
            .iter()
            .any(|change| change.verdict() == Verdict::Breaking)
    {
        report.changed(Rule::VersionKept, "version", &[version]);
    }
}

/// Compares the formats that the service checks. One more may reject what callers have always sent.
fn compare_formats(
    old: &ServiceDescription,
    new: &ServiceDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let before: Vec<&String> = old.enforced_formats.iter().collect();
    let after: Vec<&String> = new.enforced_formats.iter().collect();
    let rules = [Rule::FormatEnforced, Rule::FormatNotEnforced];
    compare_names("enforcedFormats", &before, &after, rules, report);
}

/// Compares the carriers by name, and their addresses.
fn compare_carriers(
    old: &ServiceDescription,
    new: &ServiceDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let before: Vec<&String> = old.carriers.iter().map(|carrier| &carrier.name).collect();
    let after: Vec<&String> = new.carriers.iter().map(|carrier| &carrier.name).collect();
    let rules = [Rule::CarrierAdded, Rule::CarrierRemoved];
    compare_names("carriers", &before, &after, rules, report);
    for (at, was) in old.carriers.iter().enumerate() {
        for (new_at, now) in new.carriers.iter().enumerate() {
            if now.name == was.name {
                let mut report = report.element("carriers", at, new_at);
                compare_addresses(was.address.as_ref(), now.address.as_ref(), &mut report);
                break;
            }
        }
    }
}

/// Adds changes for the names of a list that are new, and for those that are gone.
fn compare_names(
    list: &str,
    old: &[&String],
    new: &[&String],
    [added, removed]: [Rule; 2],
    report: &mut ChangeReporter<'_, '_>,
) {
    for (at, name) in new.iter().enumerate() {
        if !old.contains(name) {
            report.element(list, at, at).changed(added, "", &[name]);
        }
    }
    for (at, name) in old.iter().enumerate() {
        if !new.contains(name) {
            report.element(list, at, at).removed(removed, "", &[name]);
        }
    }
}

/// Compares the members that say which service this is, and how it is documented.
fn compare_identity(
    old: &ServiceDescription,
    new: &ServiceDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    if old.name != new.name {
        report.changed(Rule::ServiceRenamed, "name", &[&new.name, &old.name]);
    }
    if old.id != new.id && !old.id.is_empty() {
        report.changed(Rule::ServiceIdChanged, "id", &[&new.id, &old.id]);
    }
    if old.version != new.version {
        let was = old.version.as_deref().unwrap_or_default();
        let now = new.version.as_deref().unwrap_or_default();
        let rule = if is_older(now, was) {
            Rule::VersionLowered
        } else {
            Rule::VersionChanged
        };
        report.changed(rule, "version", &[&now, &was]);
    }
    compare_addresses(old.address.as_ref(), new.address.as_ref(), report);
    let have_others = report.compare_extensions(&old.extensions, &new.extensions);
    if [&old.summary, &old.description, &old.help] != [&new.summary, &new.description, &new.help]
        || have_others
    {
        report.changed(Rule::WordsChanged.sentence("change.service.words"), "", &[]);
    }
}

/// Compares the address of the service or of a carrier.
fn compare_addresses(
    old: Option<&String>,
    new: Option<&String>,
    report: &mut ChangeReporter<'_, '_>,
) {
    match (old, new) {
        (Some(old), Some(new)) if old != new => {
            report.changed(Rule::AddressChanged, "address", &[new, old]);
        }
        (None, Some(new)) => {
            report.changed(
                Rule::AddressAdded.sentence("change.address.added"),
                "address",
                &[new],
            );
        }
        (Some(old), None) => {
            report.removed(
                Rule::AddressAdded.sentence("change.address.gone"),
                "address",
                &[old],
            );
        }
        _ => {}
    }
}

/// Compares the security schemes. One that is presented in another way breaks callers only if it is required.
fn compare_schemes(
    old: &ServiceDescription,
    new: &ServiceDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    for (name, scheme) in &old.security_schemes {
        let mut report = report.element("securitySchemes", name, name);
        let Some(now) = new.security_schemes.get(name.as_str()) else {
            report.removed(Rule::SchemeRemoved, "", &[name]);
            continue;
        };
        let sentence = if scheme == now {
            continue;
        } else if without_description(scheme) == without_description(now) {
            Rule::WordsChanged.sentence("change.scheme.words")
        } else if is_presented_otherwise(scheme, now)
            && requires_scheme(old, name.as_str())
            && requires_scheme(new, name.as_str())
        {
            Rule::SchemeReplaced.into()
        } else {
            Rule::SchemeChanged.into()
        };
        report.changed(sentence, "", &[name]);
    }
    for name in new.security_schemes.keys() {
        if !old.security_schemes.contains_key(name.as_str()) {
            report
                .element("securitySchemes", name, name)
                .changed(Rule::SchemeAdded, "", &[name]);
        }
    }
}

/// A security scheme that has another name, and is otherwise what it was.
pub(super) struct RenamedScheme<'j> {
    pub(super) was: &'j str,
    pub(super) now: &'j str,
}

/// Finds the security schemes that have another name. Two that are alike cannot be told apart.
pub(super) fn renamed_schemes<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
) -> Vec<RenamedScheme<'j>> {
    let gone = schemes_without_name_in(old, new);
    let added = schemes_without_name_in(new, old);
    let mut renamed = Vec::new();
    for (was, scheme) in &gone {
        let alike: Vec<_> = added.iter().filter(|(_, other)| other == scheme).collect();
        let is_only = gone.iter().filter(|(_, other)| other == scheme).count() == 1;
        if let [(now, _)] = alike[..]
            && is_only
        {
            renamed.push(RenamedScheme { was, now });
        }
    }
    renamed
}

/// Returns the security schemes of a service whose names another does not have.
fn schemes_without_name_in<'j>(
    service: &'j ServiceDescription,
    other: &ServiceDescription,
) -> Vec<(&'j str, &'j Json)> {
    service
        .security_schemes
        .iter()
        .map(|(name, scheme)| (name.as_str(), scheme))
        .filter(|(name, _)| !other.security_schemes.contains_key(name))
        .collect()
}

/// Reports the security schemes that have another name.
pub(super) fn report_renamed(renamed: &[RenamedScheme<'_>], report: &mut ChangeReporter<'_, '_>) {
    for RenamedScheme { was, now } in renamed {
        report
            .element("securitySchemes", was, now)
            .changed(Rule::SchemeRenamed, "", &[was, now]);
    }
}

/// Returns the description with the new names of its security schemes.
pub(super) fn with_new_names<'j>(
    old: &'j ServiceDescription,
    renamed: &[RenamedScheme<'_>],
) -> Cow<'j, ServiceDescription> {
    let mut service = Cow::Borrowed(old);
    for RenamedScheme { was, now } in renamed {
        let service = service.to_mut();
        if let Some(scheme) = service.security_schemes.get(was).cloned() {
            service.security_schemes.replace(was, *now, scheme);
        }
        for requirement in service
            .procs
            .iter_mut()
            .flat_map(|procedure| &mut procedure.security)
        {
            for credential in &mut requirement.one_of {
                if credential.scheme == *was {
                    (*now).clone_into(&mut credential.scheme);
                }
            }
        }
    }
    service
}

/// Returns whether two security schemes differ in the members that say how a credential is presented.
fn is_presented_otherwise(old: &Json, new: &Json) -> bool {
    ["type", "scheme", "in", "name"]
        .iter()
        .any(|member| old.get(member) != new.get(member))
}

/// Returns whether a credential of this scheme is required anywhere.
fn requires_scheme(service: &ServiceDescription, name: &str) -> bool {
    service
        .procs
        .iter()
        .flat_map(ProcedureDescription::credentials)
        .any(|credential| credential.scheme == name)
}

/// Returns the members of a scheme that are no documentation.
fn without_description(scheme: &Json) -> Object {
    let mut members = scheme.as_object().cloned().unwrap_or_default();
    members.shift_remove("description");
    members
}

/// Compares the names of the components. Their schemas are compared where procedures use them.
fn compare_components(
    old: &ServiceDescription,
    new: &ServiceDescription,
    report: &mut ChangeReporter<'_, '_>,
) {
    let before = &old.components.schemas;
    let after = &new.components.schemas;
    let mut report = report.member("components");
    let mut added = Vec::new();
    for name in after.keys() {
        if !before.contains_key(name) {
            added.push(name);
        }
    }
    for (name, schema) in before {
        if after.contains_key(name) {
            continue;
        }
        // A renamed component has the same schema as before.
        if let Some(at) = added.iter().position(|other| after[*other] == *schema) {
            let now = added.remove(at);
            report
                .element("schemas", name, now)
                .changed(Rule::ComponentRenamed, "", &[name, now]);
        } else {
            report
                .element("schemas", name, name)
                .removed(Rule::ComponentRemoved, "", &[name]);
        }
    }
    for name in added {
        report
            .element("schemas", name, name)
            .changed(Rule::ComponentAdded, "", &[name]);
    }
}

/// Compares the procedures by name. One that changed its direction is the same procedure, unless there is another of
/// its name.
fn compare_procedures<'j>(
    old: &'j ServiceDescription,
    new: &'j ServiceDescription,
    report: &mut ChangeReporter<'_, 'j>,
) {
    let before = positions(old);
    let mut after = positions(new);
    let mut in_part = Vec::new();
    for (index, (key, at)) in before.iter().enumerate() {
        let (name, is_called) = *key;
        let other = (name, !is_called);
        let mut position = after.shift_remove(key);
        if position.is_none() && !before.contains_key(&other) {
            position = after.shift_remove(&other);
        }
        let mut report = report.element("procs", at, position.unwrap_or(0));
        report.procedure = Some(name);
        let Some(now) = position else {
            report.removed(Rule::ProcedureRemoved, "", &[&name]);
            continue;
        };
        let later = before.len() - index - 1;
        report.schemas.begin_procedure(later, before.len());
        procedure::compare(&old.procs[*at], &new.procs[now], &mut report);
        if report.schemas.is_over_budget() {
            in_part.push(name);
        }
    }
    if !in_part.is_empty() {
        let names = first_names(&in_part);
        let message = phrase("change.compared-in-part", &[&in_part.len()]).and(names);
        report.add(Rule::ComparedInPart, Document::New, "procs", message);
    }
    for ((name, is_called), at) in after {
        let mut report = report.element("procs", at, at);
        report.procedure = Some(name);
        if is_called || new.procs[at].notification {
            report.changed(Rule::ProcedureAdded, "", &[&name]);
        } else {
            report.changed(
                Rule::ClientsAsked.sentence("change.clients.asked.new"),
                "",
                &[&name],
            );
        }
    }
}

/// Returns the first of some names, and how many there are beside them.
fn first_names(names: &[&str]) -> PhraseValue {
    let count = names.len().min(MAX_NAMED);
    let list = format!("`{}`", names[..count].join("`, `"));
    match names.len() - count {
        0 => PhraseValue::Literal(list),
        more => phrase("change.more", &[&list, &more]).into(),
    }
}

/// Returns the positions of the procedures by name, and by whether clients call them. Only the first of a name can be
/// called.
fn positions(service: &ServiceDescription) -> IndexMap<(&str, bool), usize> {
    let mut positions = IndexMap::new();
    for (at, procedure) in service.procs.iter().enumerate() {
        let key = (procedure.name.as_str(), procedure.is_called_by_clients());
        positions.entry(key).or_insert(at);
    }
    positions
}
