//! The contents of a description, as plain values.
//!
//! The model has the same members as the format of `rpc.describe`. The other formats are renderings
//! of it. All members are public fields, because code that builds a description by hand (a reader, a
//! generator, a test) needs all of them. The format gains members, so the structs are not exhaustive:
//! create one with `new`, which takes the members that are required, or with `default`, which is always a
//! description that can be rendered, and assign the rest.
//!
//! ```
//! use docent_describe::{ParamDescription, ProcedureDescription};
//!
//! let mut lend = ProcedureDescription::new("book.lend");
//! lend.params = vec![ParamDescription::new("isbn", true.into())];
//! lend.deprecated = None;
//! ```
//!
//! An enumeration that may gain variants is `#[non_exhaustive]`; every other one is closed by its specification.
//!
//! Nothing here checks that the parts of a description fit together: `build()` of `docent-core` does for a service, and
//! the readers of `docent-tools` do for documents. Schemas and security schemes are stored as JSON, because authors
//! write keywords and members that no type here knows; [`schema`](crate::schema) gives schemas their meaning.

#[cfg(feature = "tools")]
mod from_alternatives;
mod limits;
mod procedure;
mod security;
mod service;
mod subscription;
mod types;

pub use limits::{CachePolicy, ProcedureLimits, RateKey, RateLimit};
pub use procedure::{
    Deprecation, ErrorDescription, Example, ParamAlias, ParamDescription, ProcedureDescription,
    ReturnDescription, SubscriptionDescription,
};
pub use security::{Credential, ONE_OF, Requirement};
pub use service::{Components, Origin, ServiceDescription};
pub use subscription::{Carrier, Direction, END_UNTOLD, LagPolicy};
pub use types::TypeCode;
