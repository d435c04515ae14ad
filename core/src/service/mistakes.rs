//! The mistakes in a service, found before anyone calls it.
//!
//! `build()` reports all mistakes at once, each with its procedure and with what to do. What is
//! correct but may surprise is a warning, and goes to the log.

use std::fmt;

use indexmap::{IndexMap, IndexSet};

/// All mistakes that `build()` found, in the order of the procedures.
///
/// ```
/// use docent::{Cx, Fault, Procedure, Service};
///
/// let error = Service::builder("broken", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1a")
///     .procedure(Procedure::sync("rpc.mine", |_: Cx, (): ()| Ok::<_, Fault>(())))
///     .procedure(Procedure::sync("a/b", |_: Cx, (): ()| Ok::<_, Fault>(())))
///     .build()
///     .unwrap_err();
/// assert_eq!(error.mistakes().len(), 2);
/// assert_eq!(error.mistakes()[0].procedure(), Some("rpc.mine"));
/// ```
pub struct BuildError {
    service: String,
    mistakes: Vec<Mistake>,
    warnings: Vec<String>,
}

/// A mistake in a service: what is wrong, how to fix it, and in which procedure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mistake {
    procedure: Option<String>,
    text: String,
}

impl BuildError {
    pub(super) fn new(service: &str, mistakes: IndexSet<Mistake>, warnings: Vec<String>) -> Self {
        Self {
            service: service.to_owned(),
            mistakes: mistakes.into_iter().collect(),
            warnings,
        }
    }

    /// Returns all mistakes.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    /// Returns what [`Service::warnings`](crate::Service::warnings) would return without the mistakes.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl Mistake {
    pub(super) fn of_service(text: impl fmt::Display) -> Self {
        Self {
            procedure: None,
            text: text.to_string(),
        }
    }

    pub(super) fn of_procedure(procedure: &str, text: impl fmt::Display) -> Self {
        Self {
            procedure: Some(procedure.to_owned()),
            text: text.to_string(),
        }
    }

    /// Returns the procedure with the mistake; `None` if it is in the service itself.
    pub fn procedure(&self) -> Option<&str> {
        self.procedure.as_deref()
    }

    /// Returns the text, which says what is wrong and how to fix it.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.procedure {
            Some(procedure) => write!(f, "procedure {procedure:?}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Writes a mistake that several procedures share only once.
impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.mistakes.len();
        let mistakes = if count == 1 { "mistake" } else { "mistakes" };
        write!(f, "the service {:?} has {count} {mistakes}", self.service)?;
        let mut procedures: IndexMap<_, Vec<_>> = IndexMap::new();
        for mistake in &self.mistakes {
            procedures
                .entry(&mistake.text)
                .or_default()
                .extend(mistake.procedure.as_ref().map(|name| format!("{name:?}")));
        }
        for (text, names) in procedures {
            match &*names {
                [] => write!(f, "\n- {text}")?,
                [name] => write!(f, "\n- procedure {name}: {text}")?,
                names => write!(f, "\n- procedures {}: {text}", names.join(", "))?,
            }
        }
        for warning in &self.warnings {
            write!(f, "\n- warning: {warning}")?;
        }
        Ok(())
    }
}

/// Writes the same text as `Display`, because a `main` that returns the error prints this.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
mod tests {
    use super::{BuildError, Mistake};

    #[test]
    fn a_mistake_of_several_procedures_takes_one_line_and_warnings_follow() {
        let mistakes = [
            Mistake::of_procedure("add", "no"),
            Mistake::of_procedure("find", "never"),
            Mistake::of_service("nothing"),
            Mistake::of_procedure("lend", "no"),
            Mistake::of_procedure("add", "no"),
        ];
        let warnings = vec!["a procedure is never called".to_owned()];
        let error = BuildError::new("library", mistakes.into_iter().collect(), warnings);
        let lines = [
            r#"the service "library" has 4 mistakes"#,
            r#"- procedures "add", "lend": no"#,
            r#"- procedure "find": never"#,
            "- nothing",
            "- warning: a procedure is never called",
        ];
        assert_eq!(error.to_string(), lines.join("\n"));
        assert_eq!(error.mistakes().len(), 4);
    }
}
