//! The reasons why a site cannot be built, or why a part of an option is left out.
//!
//! Only options have problems, because their author can fix them. A description may come from anywhere,
//! and even an odd one has a site.

/// An option that cannot be used, or a part of one that is [left out](crate::Site::warnings).
///
/// All problems are reported at once. A description never causes any.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option}: {reason}")]
pub struct Problem {
    /// The option, with the name of the file or key if there are several.
    option: String,
    reason: String,
}

impl Problem {
    /// Creates a problem of an option.
    pub(crate) fn new(option: impl Into<String>, reason: impl Into<String>) -> Self {
        Self {
            option: option.into(),
            reason: reason.into(),
        }
    }

    /// Returns the option: `template procedure.hbs`, `colour accent`, `address`.
    pub fn option(&self) -> &str {
        &self.option
    }

    /// Returns the reason why the option cannot be used, and how to fix it.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}
