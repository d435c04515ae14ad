//! Finds the parts of a description without documentation.
//!
//! The advice depends on who wrote the description: a service of Docent is documented in its code, any other one in its
//! document.

use docent_describe::schema::SchemaViews;
use docent_describe::{Origin, ProcedureDescription, ServiceDescription, TypeCode};

use super::finding::Finding;
use super::rule::Rule;

/// Returns every procedure, parameter, return and error without documentation, in the order of the
/// description.
pub(super) fn undocumented(service: &ServiceDescription) -> Vec<Finding> {
    let views = SchemaViews::new(service);
    let is_docent = service.origin == Origin::Docent;
    service
        .procs
        .iter()
        .flat_map(|procedure| of_procedure(procedure, is_docent, &views))
        .collect()
}

/// Finds the parts of a procedure without documentation. Types may be documented where they are defined.
fn of_procedure<'t>(
    procedure: &'t ProcedureDescription,
    is_docent: bool,
    views: &'t SchemaViews<'t>,
) -> Vec<Finding> {
    let mut found = UndocumentedParts {
        procedure,
        is_docent,
        findings: Vec::new(),
    };
    if !is_written(procedure.summary.as_ref()) && !is_written(procedure.description.as_ref()) {
        found.add(
            "",
            "write a doc comment on its function or its parameters' type, or call `.summary(…)`",
            "write a `summary`",
        );
    }
    for param in &procedure.params {
        if !is_written(param.description.as_ref())
            && views.view_of_schema(&param.schema).description().is_none()
        {
            let name = &param.name;
            found.add(
                &format!(", parameter `{name}`"),
                &format!("write a doc comment on `{name}`"),
                "write a `description` beside its name",
            );
        }
    }
    let is_documented = match procedure.output() {
        None => procedure.notification || !procedure.is_called_by_clients(),
        // A result that is always null needs no documentation.
        Some(returns) if returns.type_code == TypeCode::Nil => true,
        Some(returns) => {
            is_written(returns.description.as_ref())
                || views
                    .view_of_schema(&returns.schema)
                    .description()
                    .is_some()
        }
    };
    if !is_documented {
        let output = match procedure.subscription {
            None => ", return",
            Some(_) => ", item",
        };
        found.add(
            output,
            "call `.returns(…)`, or write a doc comment on the type",
            "write a `description` beside its schema",
        );
    }
    for error in &procedure.errors {
        // OpenRPC and JSON-RPC itself have no room for more than the message.
        if error.message.trim().is_empty() && !is_written(error.description.as_ref()) {
            let advice = "give it a message, such as with `.error(code, message)`";
            found.add(&format!(", error {}", error.code), advice, advice);
        }
    }
    found.findings
}

/// The parts of a procedure that have no documentation.
struct UndocumentedParts<'d> {
    procedure: &'d ProcedureDescription,
    is_docent: bool,
    /// The findings so far, in the order of the description.
    findings: Vec<Finding>,
}

impl UndocumentedParts<'_> {
    /// Adds a part, with advice for who describes the service in code or in a document.
    fn add(&mut self, part: &str, in_code: &str, in_document: &str) {
        let advice = if self.is_docent { in_code } else { in_document };
        let name = &self.procedure.name;
        let message = format!("procedure `{name}`{part}");
        self.findings.push(Finding {
            procedure: Some(name.clone()),
            advice: Some(advice.to_owned()),
            ..Finding::new(Rule::Undocumented, message)
        });
    }
}

/// Returns whether a text says anything.
fn is_written(text: Option<&String>) -> bool {
    text.is_some_and(|text| !text.trim().is_empty())
}
