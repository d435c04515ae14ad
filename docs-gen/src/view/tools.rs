//! The procedures that agents may call: tools of the Model Context Protocol.

use docent_describe::ProcedureDescription;
use docent_describe::render::TOOL;
use serde::Serialize;

use super::scope::Scope;
use crate::plan::Target;
use crate::text::{plain, shown_name};

/// A tool, and its procedure if that has another name.
#[derive(Debug, Serialize)]
pub(super) struct Tool {
    name: String,
    href: String,
    /// The name of the procedure, if it is not that of the tool.
    procedure: Option<String>,
    text: Option<String>,
}

/// Returns the name of the tool if the procedure is one.
pub(super) fn name(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.extensions.get(TOOL)?.as_str()
}

impl Scope<'_> {
    /// Returns the tools of the service.
    pub(super) fn tools(&self) -> Vec<Tool> {
        let procedures = self.description().procs.iter().enumerate();
        let tools = procedures.filter_map(|(index, procedure)| {
            let name = name(procedure)?;
            Some(Tool {
                name: shown_name(name),
                href: self.links.to(Target::Procedure(index)),
                procedure: (name != procedure.name).then(|| shown_name(&procedure.name)),
                text: procedure.summary.as_deref().map(plain),
            })
        });
        tools.collect()
    }
}
