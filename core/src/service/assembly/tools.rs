//! The procedures that are tools of the Model Context Protocol, and the names of the tools.

use std::collections::HashMap;
use std::sync::Arc;

use docent_describe::json::{Json, Object};
use docent_describe::render::{TOOL, TOOL_HINTS};

use super::findings::Findings;
use crate::procedure::{About, Registered};
use crate::service::callable::Callable;

/// The tools by the names of their procedures.
pub(super) type ChosenTools<'p> = HashMap<&'p str, ChosenTool<'p>>;

pub(super) struct ChosenTool<'p> {
    name: &'p str,
    hints: &'p Object,
}

/// Finds the procedures that are tools: those that the author chose, and all idempotent ones if the
/// author chose these. Checks their names.
pub(super) fn find<'p>(
    procedures: &'p [Arc<Registered>],
    all_idempotent: bool,
    findings: &mut Findings,
) -> ChosenTools<'p> {
    let mut tools = ChosenTools::new();
    let mut taken = HashMap::new();
    for Registered { name, about, .. } in procedures.iter().map(|procedure| &**procedure) {
        let tool = match &about.tool {
            Some(tool) => tool,
            None if all_idempotent && about.idempotent => name,
            None if about.tool_hints.is_empty() => continue,
            None => {
                findings.mistake(name, "tool_hints are for tools: call `.tool()`, too");
                continue;
            }
        };
        check_hints(name, about, findings);
        if !is_tool_name(tool) {
            findings.mistake(
                name,
                format_args!(
                    "{tool:?} cannot be the name of a tool, which has 1 to 128 of the characters \
                     A–Z a–z 0–9 _ . -; choose one with `.tool_named(\"…\")`"
                ),
            );
        }
        // A procedure that is registered twice is reported elsewhere.
        if let Some(other) = taken.insert(tool, name).filter(|other| *other != name) {
            findings.mistake(
                name,
                format_args!(
                    "the procedure {other:?} is a tool of the same name, {tool:?}; choose another \
                     one with `.tool_named(\"…\")`"
                ),
            );
        }
        let hints = &about.tool_hints;
        tools.insert(name, ChosenTool { name: tool, hints });
    }
    tools
}

/// Reports hints that contradict the rest of the description.
fn check_hints(name: &str, about: &About, findings: &mut Findings) {
    let hint = |hint: &str| about.tool_hints.get(hint);
    let says = |word: &str, value: bool| hint(word) == Some(&Json::Bool(value));
    if about.idempotent && (says("destructiveHint", true) || says("idempotentHint", false)) {
        findings.mistake(
            name,
            "the hints say that calls change something, and `idempotent` says that they do not; leave \
             out one of them",
        );
    }
    if hint("title").and_then(Json::as_str) == Some("") {
        findings.mistake(name, "the title of a tool must not be empty");
    }
}

/// Returns whether a tool can have this name (MCP, section "Tool Names").
fn is_tool_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=128).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// Adds to the descriptions which procedures are tools, with their hints.
pub(super) fn publish(tools: &ChosenTools<'_>, callables: &mut [Callable]) {
    for callable in callables {
        let Some(tool) = tools.get(callable.callee.name()) else {
            continue;
        };
        let callee = Arc::make_mut(&mut callable.callee);
        let extensions = &mut callee.description.extensions;
        extensions.insert(TOOL, Json::from(tool.name));
        if !tool.hints.is_empty() {
            extensions.insert(TOOL_HINTS, Json::from(tool.hints.clone()));
        }
    }
}
