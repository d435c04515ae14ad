//! The problems that keep a type from being described.
//!
//! They are found when a service is built, and each says how to change the type. Violations are something else: they
//! are about values, and checks find them.

/// The reason why a type cannot be described, and how to fix it.
///
/// The text names the parameter but not the procedure, which is known where the type is registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaProblem(String);

impl SchemaProblem {
    /// Creates a problem from a sentence with the mistake and with advice.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the problem of two different types with the same name.
    pub(super) fn name_clash(name: &str) -> Self {
        Self(format!(
            "two different types are both named `{name}`; {CURE_OF_CLASH}"
        ))
    }

    /// Returns the problem with the name of a parameter, if there is one.
    pub fn of_name(name: &str) -> Option<Self> {
        if !name.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(Self(format!(
            "`{name}` cannot be a parameter's name: digits alone are a position, and a name must \
             not be empty; rename the field"
        )))
    }
}

/// The advice for two types with the same name.
pub(super) const CURE_OF_CLASH: &str = "rename one of them with `#[schemars(rename = \"…\")]`";
