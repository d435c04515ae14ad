//! The contents of a description, as plain values.
//!
//! The model has the same members as the format of `rpc.describe`. The other formats are renderings
//! of it. Everything is public: the model promises nothing beyond what its types say, and code that
//! builds one by hand (a reader, a generator, a test) needs all of it.

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
