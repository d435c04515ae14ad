//! What a description says, as plain values.
//!
//! The model is the format of `rpc.describe` member for member; the other formats are renderings
//! of it. Everything is public: the model promises nothing beyond what its types say, and those
//! who build one by hand (a reader, a generator, a test) need all of it.

mod procedure;
mod service;
mod types;

pub use procedure::{
    Deprecation, ErrorDescription, Example, ParamDescription, ProcedureDescription,
    ReturnDescription,
};
pub use service::{Components, Origin, ServiceDescription};
pub use types::TypeCode;
