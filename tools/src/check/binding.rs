//! The reading of parameters by a service, which only `docent-core` knows.
//!
//! This crate does not link it: a program that checks a service passes a [`Binding`] for each procedure.

use docent_describe::json::Json;

/// Reads the parameters of a procedure as the service does. `docent_core::Arguments` can, from the
/// description.
pub trait Binding: Sync {
    /// Checks the `params` of a call, given as JSON text.
    ///
    /// # Errors
    /// Returns the data of the error with which the service refuses them.
    fn check(&self, params: &str) -> Result<(), Json>;

    /// Returns the parameters that the names and texts of a query stand for, if it is accepted.
    fn read(&self, query: &[(String, String)]) -> Option<Json>;
}
