//! A service to be tested from outside: the procedures that the specifications use in their
//! examples, and awkward ones that panic, sleep, fail and answer too much.

mod arithmetic;
mod awkward;
mod number;
mod plain;

use docent_server::{BuildError, Limits, Protocols, Service};

/// Builds the service with these limits and versions of the protocol.
///
/// # Errors
/// None that a caller could cause: the procedures are the same every time.
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
