//! The procedures, and the service that they make.

use docent::{BuildError, Fault, Service, procedure};

/// Greets a person by name.
#[procedure(
    idempotent,
    returns = "The greeting.",
    example(params = ["Ada"], result = "Hello, Ada!")
)]
fn greet(
    /// The name of the person.
    #[schemars(length(min = 1, max = 100))]
    name: String,
) -> Result<String, Fault> {
    Ok(format!("Hello, {name}!"))
}

/// Builds the service, or returns what is wrong with its description.
pub(crate) fn service() -> Result<Service, BuildError> {
    Service::builder("greeter", "https://example.com/greeter")
        .version("0.1")
        .procedures([greet::procedure()])
        .build()
}
