//! The vocabulary of Docent: descriptions of JSON-RPC services, how Rust types become descriptions,
//! and how descriptions are rendered.
//!
//! A [`ServiceDescription`] is plain data. Create it from types with [`schema`], or from a document
//! with the crate `docent-tools`, and render it with [`render`] in the formats of `rpc.describe`, `system.describe`
//! and `rpc.discover`. Literal JSON in it (defaults, examples, bounds) is stored in [`json`], which
//! keeps the text of numbers.
//!
//! | module | what it has |
//! |---|---|
//! | [`json`] | the grammar, numbers and strings of JSON; its tree; the decoder of calls |
//! | `model` | a description as plain structs, which are re-exported here |
//! | [`schema`] | schemas from Rust types, views of schemas, and the check of values |
//! | [`pattern`] | the regular expressions of JSON Schema |
//! | [`render`] | the formats in which descriptions are served |
//! | [`openrpc`] | the names that readers and writers of OpenRPC documents share |
//! | [`code`] | the errors of the protocol, in one table |
//! | [`brief`], [`identifiers`], [`SimilarNames`] | short lists in messages, identifiers of clients, suggestions for typos |
//!
//! Users of Docent see the module [`stable`], as `docent::describe`. The rest is for Docent's own crates and may
//! change in any version.
//!
//! This crate knows no network and no runtime, and runs no procedures: it can say that a parameter is required,
//! and other crates enforce it.
//!
//! ```
//! use docent_describe::schema::{ComponentsBuilder, Side, params_of, return_of};
//! use docent_describe::{ProcedureDescription, ServiceDescription, render};
//! use docent_describe::split_documentation;
//!
//! /// Adds two numbers.
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Sum {
//!     /// Left addend.
//!     a: f64,
//!     /// Right addend.
//!     #[serde(default)]
//!     b: f64,
//! }
//!
//! let schema = params_of::<Sum>().unwrap();
//! let answer = return_of::<f64>().unwrap();
//!
//! // The names of all procedures' types are chosen once, for the whole service.
//! let mut components = ComponentsBuilder::new();
//! components.merge_params("sum", &schema);
//! components.merge("sum", Side::Output, &answer.definitions);
//! let shared = components.finish().unwrap();
//!
//! let (summary, description) = split_documentation(&schema.documentation.unwrap());
//! let mut sum = ProcedureDescription::new("sum");
//! sum.summary = summary;
//! sum.description = description;
//! sum.params = schema.params;
//! sum.returns = Some(answer.returns);
//! for param in &mut sum.params {
//!     shared.rewrite_input(&mut param.schema);
//! }
//! let id = "urn:uuid:41544946-415a-495a-5645-454441534646";
//! let mut service = ServiceDescription::new("calculator", id);
//! service.procs = vec![sum];
//! service.components = shared.components;
//!
//! let text = render::describe(&service).to_string();
//! assert!(text.contains(r#"{"name":"b","type":"num","required":false,"default":0.0,"#));
//! ```

#[macro_use]
mod define;

pub mod brief;
pub mod code;
mod documentation;
mod error_reasons;
mod excerpt;
pub mod identifiers;
pub mod json;
mod model;
pub mod openrpc;
pub mod pattern;
pub mod render;
pub mod schema;
mod similar;
pub mod stable;
mod verbs;
mod version;

pub use documentation::split_documentation;
pub use error_reasons::{error_reason, error_reasons};
pub use model::{
    CachePolicy, Carrier, Components, Credential, Deprecation, Direction, END_UNTOLD,
    ErrorDescription, Example, LagPolicy, ONE_OF, Origin, ParamAlias, ParamDescription,
    ProcedureDescription, ProcedureLimits, RateKey, RateLimit, Requirement, ReturnDescription,
    ServiceDescription, SubscriptionDescription, TypeCode,
};
pub use similar::SimilarNames;
pub use verbs::changing_verb;
pub(crate) use verbs::name_words;
#[cfg(feature = "tools")]
pub use version::is_older;
pub use version::version_order;
