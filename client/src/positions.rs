//! Parameters by position.

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

/// Parameters by position, some of which are optional. Optional ones that are null at the end are not
/// sent.
///
/// ```
/// use docent_client::Positions;
///
/// let params = Positions::new(1).and(&"whale").and(&None::<u8>).and(&Some(2)).and(&None::<u8>);
/// assert_eq!(serde_json::to_string(&params).unwrap(), r#"["whale",null,2]"#);
/// ```
#[derive(Debug)]
pub struct Positions {
    values: Result<Vec<Box<RawValue>>, String>,
    required: usize,
}

impl Positions {
    /// Creates an empty list. The first `required` parameters are always sent.
    pub fn new(required: usize) -> Self {
        Self {
            values: Ok(Vec::new()),
            required,
        }
    }

    /// Adds a parameter.
    pub fn and(mut self, value: &impl Serialize) -> Self {
        match (&mut self.values, to_raw_value(value)) {
            (Ok(values), Ok(value)) => values.push(value),
            (Ok(_), Err(error)) => self.values = Err(error.to_string()),
            (Err(_), _) => {}
        }
        self
    }
}

impl Serialize for Positions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.values.as_ref().map_err(serde::ser::Error::custom)?;
        let length = values
            .iter()
            .rposition(|value| value.get() != "null")
            .map_or(0, |last| last + 1)
            .max(self.required);
        serializer.collect_seq(values.iter().take(length))
    }
}
