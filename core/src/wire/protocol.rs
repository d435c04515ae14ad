//! The versions of the protocol, as far as dispatch sees them.
//!
//! Only `reading.rs` and `writing.rs` know how versions differ in what is read and written.

/// The protocol version of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// JSON-RPC 2.0
    V2_0,
    /// JSON-RPC 1.1 (working draft)
    V1_1,
    /// JSON-RPC 1.0
    V1_0,
}

/// The protocol versions that a service accepts. It always accepts 2.0.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Service};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::builder("greeter", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1c")
///     .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")))
///     .protocols(|protocols| protocols.v1_0 = true)
///     .build()?;
/// let response = service.handle(r#"{"method": "hello", "params": [], "id": 1}"#).await;
/// assert_eq!(response.unwrap(), br#"{"result":"hello","error":null,"id":1}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Protocols {
    /// Set if JSON-RPC 1.1 calls are accepted. Default: true.
    pub v1_1: bool,
    /// Set if JSON-RPC 1.0 requests are accepted. Default: false.
    pub v1_0: bool,
    /// The protocol version of responses to GET: 2.0 (the default) or 1.1.
    pub get: Protocol,
}

impl Default for Protocols {
    fn default() -> Self {
        Self {
            v1_1: true,
            v1_0: false,
            get: Protocol::V2_0,
        }
    }
}

impl Protocol {
    /// Returns the version number.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_0 => "2.0",
            Self::V1_1 => "1.1",
            Self::V1_0 => "1.0",
        }
    }

    /// Returns whether a server should adapt a call to the procedure if nothing is lost (1.1,
    /// section 6.6.1), instead of reading it literally.
    #[inline]
    pub(crate) fn adapts(self) -> bool {
        self == Self::V1_1
    }
}

docent_describe::display!(Protocol, |protocol| protocol.as_str());
