//! Outcomes of calls, as they are kept.
//!
//! A repeated call gets the same bytes, so results are kept as text, and a store needs to know
//! nothing about them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::code;
use crate::fault::Fault;
use crate::finite::Finite;
use crate::wire::write_error_object;

/// The kept outcome of a call: its result or its error, byte for byte. Cloning it is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg(feature = "keys")]
pub struct KeptOutcome {
    json: Arc<str>,
    is_error: bool,
}

impl KeptOutcome {
    /// Restores the outcome of a successful call from the text that [`json`](Self::json) returned.
    pub fn result(json: impl Into<Arc<str>>) -> Self {
        Self {
            json: json.into(),
            is_error: false,
        }
    }

    /// Restores the outcome of a failed call from the text that [`json`](Self::json) returned.
    pub fn error(json: impl Into<Arc<str>>) -> Self {
        Self {
            json: json.into(),
            is_error: true,
        }
    }

    /// Creates the outcome of a call with this result.
    ///
    /// ```
    /// use docent::KeptOutcome;
    ///
    /// let outcome = KeptOutcome::from_result(&["Moby-Dick"])?;
    /// assert_eq!(outcome.json(), r#"["Moby-Dick"]"#);
    /// // A store writes the text, and reads it again later.
    /// let restored = KeptOutcome::result(outcome.json());
    /// assert!(!restored.is_error());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the value cannot be written as JSON.
    pub fn from_result<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::to_string(&Finite(value)).map(Self::result)
    }

    /// Returns the JSON text of the result, or of the error object.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns whether the call ended with an error.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    pub(crate) fn of_fault(fault: &Fault) -> Self {
        let mut json = Vec::new();
        write_error_object(&mut json, fault);
        // The bytes are ASCII digits and punctuation, and Rust strings.
        Self::error(String::from_utf8(json).unwrap_or_default())
    }

    /// Returns the error, if the outcome is one.
    pub(crate) fn fault(&self) -> Option<Fault> {
        if !self.is_error {
            return None;
        }
        // A store may have damaged it.
        let members: BTreeMap<&str, &RawValue> =
            serde_json::from_str(&self.json).unwrap_or_default();
        let code = members
            .get("code")
            .and_then(|code| code.get().parse().ok())
            .unwrap_or(code::INTERNAL_ERROR);
        let message = members
            .get("message")
            .and_then(|message| serde_json::from_str(message.get()).ok())
            .unwrap_or_default();
        let data = members.get("data").map(|data| data.get().to_owned());
        Some(Fault::kept(code, message, data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_the_same_after_it_was_kept() {
        let faults = [
            Fault::new(1404, "No such \"book\" — ü\n"),
            Fault::new(-1, "").with_data(&["a", "\u{1f980}"]),
            Fault::new(i64::MAX, "m").with_json("{\"b\": 1e400, \"a\":1.0}".to_owned()),
            Fault::protocol(code::INTERNAL_ERROR),
        ];
        for fault in faults {
            let kept = KeptOutcome::of_fault(&fault);
            let again = kept.fault().expect("an error");
            assert_eq!(KeptOutcome::of_fault(&again), kept);
            assert_eq!(again.code(), fault.code());
            assert_eq!(again.data(), fault.data());
        }
        assert!(KeptOutcome::result("{\"code\":1}").fault().is_none());
    }

    #[test]
    fn an_error_that_a_store_has_damaged_is_an_internal_one() {
        for json in [
            "",
            "null",
            "[1]",
            "{\"code\":\"x\",\"message\":5}",
            "{\"code\"",
        ] {
            let fault = KeptOutcome::error(json).fault().expect("an error");
            assert_eq!(fault.code(), code::INTERNAL_ERROR, "{json}");
        }
    }
}
