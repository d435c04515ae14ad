//! A service to test from outside: the procedures from the specifications' examples, and awkward
//! ones that panic, sleep, fail or return too much.

mod arithmetic;
mod awkward;
mod number;
mod plain;
pub mod values;

use docent::{BuildError, Limits, Protocols, Service};

/// Builds the service with these limits and protocol versions.
///
/// # Errors
/// Never because of the arguments: the procedures are always the same.
pub fn service(limits: Limits, protocols: Protocols) -> Result<Service, BuildError> {
    Service::builder(
        "conformance",
        "urn:uuid:5b7f3d0a-6c39-4c3c-9f0e-0d9c6f6a2b11",
    )
    .version("1.0")
    .documentation(
        "The procedures of the specifications' examples, and awkward ones.\n\nA service for tests \
         over HTTP.",
    )
    .limits(|own| *own = limits)
    .protocols(|own| *own = protocols)
    .procedures(arithmetic::procedures())
    .procedures(plain::procedures())
    .state(awkward::Counter::default())
    .procedures(awkward::procedures())
    .build()
}
