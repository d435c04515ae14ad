//! The procedures that are tools of the Model Context Protocol, and the names of the tools.
//!
//! Clients of the protocol accept fewer names than JSON-RPC does, and a name must lead to one
//! procedure.

use std::borrow::Cow;
use std::collections::HashMap;

use docent_describe::json::Json;
use docent_describe::render::{TOOL, TOOL_HINTS};

use super::draft::Draft;
use super::findings::Findings;
use crate::procedure::{ProcedureOptions, tool_name};

/// Describes which procedures are tools: those that the author chose, and all idempotent ones if the
/// author chose these. Checks their names.
pub(super) fn describe(drafts: &mut [Draft], all_idempotent: bool, findings: &mut Findings) {
    let mut taken = HashMap::new();
    for draft in drafts {
        let name = &*draft.registered.name;
        let options = &draft.registered.options;
        let tool = match &options.tool {
            Some(tool) => Cow::Borrowed(&**tool),
            None if all_idempotent
                && options.described.idempotent
                && options.described.is_a_call() =>
            {
                tool_name(name).into()
            }
            None if options.tool_hints.is_empty() => continue,
            None => {
                findings.mistake(name, "tool_hints are for tools; call `.tool()` too");
                continue;
            }
        };
        check_hints(name, options, findings);
        if !is_tool_name(&tool) {
            findings.mistake(
                name,
                format_args!(
                    "{tool:?} cannot be the name of a tool; choose one of 1 to 64 of the characters \
                     A–Z a–z 0–9 _ - with `.tool_named(\"…\")`"
                ),
            );
        }
        if let Some(other) = taken.insert(tool.clone(), name) {
            findings.mistake(
                name,
                format_args!(
                    "the procedure {other:?} is a tool with the same name, {tool:?}; choose another name \
                     with `.tool_named(\"…\")`"
                ),
            );
        }
        let extensions = &mut draft.callee.description.extensions;
        extensions.insert(TOOL, Json::from(&*tool));
        if !options.tool_hints.is_empty() {
            extensions.insert(TOOL_HINTS, Json::from(options.tool_hints.clone()));
        }
    }
}

/// Reports hints that contradict the rest of the description.
fn check_hints(name: &str, options: &ProcedureOptions, findings: &mut Findings) {
    let hints = &options.tool_hints;
    let is_destructive = hints.get("destructiveHint") == Some(&Json::Bool(true));
    let is_unrepeatable = hints.get("idempotentHint") == Some(&Json::Bool(false));
    if options.described.idempotent && (is_destructive || is_unrepeatable) {
        findings.mistake(
            name,
            "the hints say that calls change something, but `idempotent` says that they do not; remove \
             one of them",
        );
    }
    if hints.get_str("title") == Some("") {
        findings.mistake(name, "the title of a tool must not be empty");
    }
}

/// Returns whether a tool can have this name. The protocol allows more (section "Tool Names"), and many
/// agents do not.
fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}
