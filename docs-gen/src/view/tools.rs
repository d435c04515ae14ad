//! The procedures that agents may call: tools of the Model Context Protocol.

use docent_describe::ProcedureDescription;
use docent_describe::render::TOOL;
use serde::Serialize;

use super::scope::Scope;
use crate::plan::Target;
use crate::text::{plain, shown_name};

/// A tool, and its procedure.
#[derive(Debug, Serialize)]
pub(super) struct Tool {
    name: String,
    href: String,
    /// The name of the procedure, if it is another.
    procedure: Option<String>,
    text: Option<String>,
}

/// The name of the tool that a procedure is.
pub(super) fn name(procedure: &ProcedureDescription) -> Option<&str> {
    procedure.extensions.get(TOOL)?.as_str()
}

impl Scope<'_> {
    /// The tools of the service.
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
