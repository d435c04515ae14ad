//! Checks descriptions: whatever can be read can be written in every format, and reads back
//! unchanged.

use std::collections::HashSet;

use docent_describe::json::Json;
use docent_describe::render::{OpenRpcOptions, OpenRpcVersion};
use docent_describe::render::{describe, openrpc, system_describe};
use docent_describe::{ProcedureDescription, ServiceDescription};
use docent_docs_gen::{Page, Site};
use docent_tools::read::{Format, Reading, read};

use crate::json;

const OPENRPC_VERSIONS: [OpenRpcVersion; 3] = [
    OpenRpcVersion::V1_2_6,
    OpenRpcVersion::V1_3_2,
    OpenRpcVersion::V1_4_1,
];

/// Reads bytes as a description in any format. If they are one, makes every rendering and checks
/// it.
///
/// # Panics
/// If a rendering is wrong.
pub fn description(input: &[u8]) {
    let Ok(reading) = read(input) else { return };
    if let Err(wrong) = every_rendering_is_sound(&reading.description) {
        panic!("{wrong}\nread: {reading:#?}");
    }
}

/// Checks every rendering of a description.
///
/// # Errors
/// Describes what is wrong.
fn every_rendering_is_sound(service: &ServiceDescription) -> Result<(), String> {
    let own = describe(service).to_string();
    let own_reading = reads_back(service, &own)?;
    let mut names = HashSet::new();
    for procedure in &service.procs {
        if names.insert(&procedure.name) {
            stands_alone(service, procedure, &own_reading)?;
        }
    }
    let strict = system_describe(service);
    keeps_procedures("system.describe", &strict, Format::JsonRpc11, service)?;
    for version in OPENRPC_VERSIONS {
        for keep_recursion in [false, true] {
            let mut options = OpenRpcOptions::from(version);
            options.keep_recursion = keep_recursion;
            let document = openrpc(service, options);
            keeps_procedures("OpenRPC", &document, Format::OpenRpc, service)?;
        }
    }
    Ok(())
}

fn reads_back(service: &ServiceDescription, own: &str) -> Result<Reading, String> {
    let again = reading("rpc.describe", own)?;
    if again.format != Format::Docent {
        return Err(format!("rpc.describe is read as a {}", again.format));
    }
    if again.description != *service {
        let again = again.description;
        return Err(format!("rpc.describe reads back as {again:#?}\nfrom {own}"));
    }
    Ok(again)
}

/// Checks that the first procedure with a name can be described without the others, and still
/// includes every schema that it refers to.
fn stands_alone(
    service: &ServiceDescription,
    procedure: &ProcedureDescription,
    whole: &Reading,
) -> Result<(), String> {
    let text = describe(&service.excerpt(&[&procedure.name])).to_string();
    let alone = reading("a part of rpc.describe", &text)?;
    // Another of the same name may follow.
    if alone.description.procs.first() != Some(procedure) {
        return Err(format!("{procedure:#?} has changed in {text}"));
    }
    for warning in &alone.warnings {
        let is_about_schema = warning.message.starts_with("`#/components/schemas/");
        let is_known = whole
            .warnings
            .iter()
            .any(|known| known.message == warning.message);
        if is_about_schema && !is_known {
            return Err(format!("alone, {warning}\nfrom {text}"));
        }
    }
    Ok(())
}

fn keeps_procedures(
    what: &str,
    rendered: &Json,
    format: Format,
    service: &ServiceDescription,
) -> Result<(), String> {
    let text = rendered.to_string();
    let reading = reading(what, &text)?;
    if reading.format != format {
        return Err(format!("{what} is read as a {}", reading.format));
    }
    let before = names(service);
    let after = names(&reading.description);
    if before == after {
        Ok(())
    } else {
        Err(format!(
            "{what} has procedures {after:?}, expected {before:?}"
        ))
    }
}

fn names(service: &ServiceDescription) -> Vec<&str> {
    service
        .procs
        .iter()
        .map(|procedure| &*procedure.name)
        .collect()
}

fn reading(what: &str, text: &str) -> Result<Reading, String> {
    json::check(text.as_bytes()).map_err(|error| format!("{what} is not JSON, {error}: {text}"))?;
    read(text.as_bytes()).map_err(|error| format!("{what} cannot be read: {error}\nin {text}"))
}

/// Reads bytes as a description and generates its site, page by page.
///
/// # Panics
/// If the site cannot be generated, or a page is wrong.
pub fn site(input: &[u8]) {
    let Ok(reading) = read(input) else { return };
    if let Err(wrong) = every_page_is_sound(&reading.description) {
        panic!("{wrong}\nread: {reading:#?}");
    }
}

/// Generates the site of a description and checks its pages.
fn every_page_is_sound(service: &ServiceDescription) -> Result<(), String> {
    let site = Site::builder(service.clone())
        .build()
        .map_err(|problems| format!("cannot generate the site: {problems:?}"))?;
    let mut paths = HashSet::new();
    for page in site.pages() {
        is_sound(&page)?;
        if !paths.insert(page.path.to_lowercase()) {
            return Err(format!("two pages at {}", page.path));
        }
    }
    if site.single_file().is_empty() {
        return Err("a single file of nothing".to_owned());
    }
    Ok(())
}

fn is_sound(page: &Page) -> Result<(), String> {
    let Page {
        path,
        bytes,
        content_type,
        ..
    } = page;
    for name in path.split('/') {
        let is_plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-~".contains(&byte));
        if name.is_empty() || name.starts_with('.') || !is_plain {
            return Err(format!("a page at {path:?}"));
        }
    }
    if *content_type == "application/json" {
        json::check(bytes).map_err(|error| format!("{path} is not JSON: {error}"))?;
    } else if content_type.contains("utf-8") {
        std::str::from_utf8(bytes).map_err(|error| format!("{path} is not UTF-8: {error}"))?;
    }
    Ok(())
}
