//! Parameters by position, for the clients that are generated.
//!
//! Parameters by name need nothing of their own: they are any type that serialises to an object.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::params::param_to_json;

/// Parameters by position, some of them optional. An optional parameter that is left out is sent as null if
/// another one follows, and not at all at the end.
///
/// ```
/// use docent_client::Positions;
///
/// let params = Positions::new()
///     .and("word", &"whale")
///     .maybe("shelf", &None::<u8>)
///     .maybe("limit", &Some(2))
///     .maybe("note", &Some(None::<u8>))
///     .maybe("offset", &None::<u8>);
/// assert_eq!(serde_json::to_string(&params).unwrap(), r#"["whale",null,2,null]"#);
/// ```
#[derive(Debug)]
pub struct Positions(serde_json::Result<Vec<Option<Box<RawValue>>>>);

impl Default for Positions {
    fn default() -> Self {
        Self(Ok(Vec::new()))
    }
}

impl Positions {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a parameter. The name is for the error if JSON cannot represent the value.
    pub fn and(self, name: &str, value: &impl Serialize) -> Self {
        self.maybe(name, &Some(value))
    }

    /// Adds an optional parameter, which `None` leaves out.
    pub fn maybe(mut self, name: &str, value: &Option<impl Serialize>) -> Self {
        if let Ok(values) = &mut self.0 {
            let json = value.as_ref().map(|value| param_to_json(name, value));
            match json.transpose() {
                Ok(json) => values.push(json),
                Err(error) => self.0 = Err(error),
            }
        }
        self
    }
}

impl Serialize for Positions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.0.as_ref().map_err(serde::ser::Error::custom)?;
        let last = values.iter().rposition(Option::is_some);
        serializer.collect_seq(&values[..last.map_or(0, |last| last + 1)])
    }
}

#[cfg(test)]
mod tests {
    use super::Positions;

    #[test]
    fn what_json_cannot_represent_is_named() {
        let params = Positions::new().and("a", &1).maybe("b", &Some([f64::NAN]));
        let error = serde_json::to_string(&params)
            .expect_err("an error")
            .to_string();
        assert!(
            error.starts_with("b/0: a number is infinite or NaN"),
            "{error}"
        );
    }
}
