//! Two servers that do the same work: one of Docent, and one written by hand on actix-web.
//!
//! Both serve `sum` by POST, by GET with a validator, and the same document of about 250 kB: Docent as
//! its description, the other as bytes.

pub mod bare;
pub mod docent;

use schemars::JsonSchema;
use serde::Deserialize;

/// How many procedures a service has, so that its description has about 250 kB.
pub const PROCEDURES: usize = 500;

/// Adds two numbers.
#[derive(Deserialize, JsonSchema)]
pub struct Sum {
    /// Left addend.
    pub a: f64,
    /// Right addend.
    pub b: f64,
}
