//! The part of this crate that users of Docent see: `docent::describe` and `docent_tower::describe`.
//!
//! It has the model, its renderings, the codes of errors, and the JSON in all of them, because
//! signatures of Docent name these. The rest of this crate is for Docent's own crates and may change in any
//! version, so they require each other exactly.

#[doc(inline)]
pub use crate::code;
#[doc(inline)]
pub use crate::model::{
    CachePolicy, Carrier, Components, Credential, Deprecation, Direction, ErrorDescription,
    Example, LagPolicy, Origin, ParamAlias, ParamDescription, ProcedureDescription,
    ProcedureLimits, RateKey, RateLimit, Requirement, ReturnDescription, ServiceDescription,
    SubscriptionDescription, TypeCode,
};

/// JSON as a description stores it: in order, and with every number as it was written.
pub mod json {
    #[doc(inline)]
    pub use crate::json::{Json, Name, Object, Pointer};
}

/// Renders the model in the formats that are served.
pub mod render {
    #[cfg(feature = "tools")]
    #[doc(inline)]
    pub use crate::render::json_schema;
    #[doc(inline)]
    pub use crate::render::{
        DescriptionText, FORMAT_SCHEMA, OpenApiOptions, OpenApiText, OpenRpcOptions, OpenRpcText,
        OpenRpcVersion, SYSTEM_DESCRIBE_SCHEMA, describe, openapi, openrpc, system_describe,
    };
}
