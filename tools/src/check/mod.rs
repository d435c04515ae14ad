//! Checks descriptions, and whether services keep to them.
//!
//! [`check_description`] finds where a description contradicts itself (`lint.rs`, `lint_schemas.rs`), and what it leaves
//! out (`undocumented.rs`). [`check_live`] calls a service and finds where it departs from its description (`live/`).
//! Both give [`Finding`]s, each of a [`Rule`], by whose name a user can allow it.
//!
//! This module sends nothing itself: the caller passes a [`LiveTransport`] that does. Nor does it know how a service
//! reads parameters, which only `docent-core` does: the caller passes a [`Binding`] for each procedure.
//!
//! ```
//! use docent_describe::json::Json;
//! use docent_tools::check::{
//!     Binding, LiveOptions, LiveResponse, LiveTransport, Rule, Unanswered, check_live,
//! };
//! use docent_tools::read::read;
//! use url::Url;
//!
//! /// Accepts all parameters. With `docent_core::Arguments`, only those that the description allows.
//! struct Anything;
//!
//! impl Binding for Anything {
//!     fn check(&self, _params: &str) -> Result<(), Json> {
//!         Ok(())
//!     }
//!
//!     fn read(&self, _query: &[(String, String)]) -> Option<Json> {
//!         None
//!     }
//! }
//!
//! /// A client of HTTP belongs here. This service answers every request with an empty object.
//! struct Stub;
//!
//! impl LiveTransport for Stub {
//!     fn send(&self, _: &Url, _: Option<&str>, _: Option<&str>) -> Result<LiveResponse, Unanswered> {
//!         Ok(LiveResponse::new(200, |_| None, b"{}".to_vec()))
//!     }
//! }
//!
//! let document = br#"{"openrpc": "1.3.2", "info": {"title": "Clock", "version": "1.0"}, "methods":
//!     [{"name": "now", "params": [], "result": {"name": "now", "schema": {"type": "string"}}}]}"#;
//! let description = read(document)?.description;
//! let address = Url::parse("http://127.0.0.1:8080/rpc")?;
//! let mut options = LiveOptions::new(&address);
//! options.with_writes = true;
//! options.max_calls = 10;
//! let report = check_live(&description, [Anything].into_iter(), &Stub, options);
//! assert!(report.findings.iter().any(|finding| finding.rule == Rule::BadResponse));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
