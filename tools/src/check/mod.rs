//! Checks descriptions, and whether services keep to them.
//!
//! In comes a description in the model, out come [`Finding`]s, each of a [`Rule`], by whose name a user can allow it:
//!
//! ```text
//! an example whose parameters its own schema refuses    contradicts itself   lint.rs, lint_schemas.rs
//! a parameter without a word about it                   is undocumented      undocumented.rs
//! a call that the schemas allow, answered with -32602   is not kept to       live/
//! ```
//!
//! [`check_description`] finds the first two, from the description alone. [`check_live`] calls the service, and its
//! documentation has an example of all parts.
//!
//! This module sends nothing itself: the caller passes a [`LiveTransport`] that does. Nor does it know how a service
//! reads parameters, which only `docent-core` does: the caller passes a [`Binding`] for each procedure. So it can check
//! services that other frameworks serve, and links no client and no server.

mod binding;
mod finding;
mod lint;
mod lint_schemas;
mod live;
mod rule;
mod undocumented;

use docent_describe::ServiceDescription;

pub use binding::Binding;
pub use finding::{Finding, ReproducingCall};
pub use live::{
    LiveOptions, LiveReport, LiveResponse, LiveStep, LiveStream, LiveSubscribed, LiveTransport,
    NotTried, Unanswered, check_live, quoted,
};
pub use rule::{FindingKind, Rule};

/// Returns the findings that the description alone shows. There is a binding for each procedure, in
/// their order.
pub fn check_description(
    service: &ServiceDescription,
    bindings: impl Iterator<Item = impl Binding>,
) -> Vec<Finding> {
    let mut findings = lint::contradictions(service, bindings);
    findings.extend(lint_schemas::in_schemas(service));
    findings.extend(undocumented::undocumented(service));
    findings
}
