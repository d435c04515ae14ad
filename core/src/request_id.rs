//! The ID of a request: callers, proxies and logs can refer to the request by it.
//!
//! A caller or a proxy may choose it, within a form that is safe to log. Otherwise it is generated,
//! and then it also names the incident if the call fails.

use std::sync::Arc;

use crate::incident::{Incident, Incidents};
use crate::runtime::Runtime;

/// The ID of a request: over HTTP, the header field `X-Request-Id`.
///
/// The transport accepts the ID that came with the request, or generates one, and adds it to the
/// [`Extensions`](crate::Extensions). Handlers get it with [`Cx::extension`](crate::Cx::extension),
/// observers with [`CallRecord::extension`](crate::CallRecord::extension), and the span of the call has
/// it as the field `request_id`. If the ID was generated, it is also the incident of the first internal
/// error of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(Origin);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    Generated(Incident),
    Given(Arc<str>),
}

/// The maximum length of an ID from a request.
const MAX_LENGTH: usize = 128;

impl RequestId {
    /// Accepts an ID of 1 to 128 of the characters `A–Z a–z 0–9 . _ -`. Returns `None` for any other
    /// text, because IDs end up in logs and in header fields.
    ///
    /// ```
    /// use docent::RequestId;
    ///
    /// assert_eq!(RequestId::new("order-17.2").unwrap().as_str(), "order-17.2");
    /// assert!(RequestId::new("").is_none());
    /// assert!(RequestId::new("two words").is_none());
    /// ```
    pub fn new(given: &str) -> Option<Self> {
        if !is_well_formed(given) {
            return None;
        }
        Some(Self(Origin::Given(given.into())))
    }

    /// Returns the ID as text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Origin::Generated(incident) => incident.as_str(),
            Origin::Given(text) => text,
        }
    }

    /// Returns the ID as ASCII text, to be sent as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Origin::Generated(incident) => incident.as_bytes(),
            Origin::Given(text) => text.as_bytes(),
        }
    }

    /// Returns whether the ID came with the request. Callers may repeat such an ID; a generated one is
    /// unique.
    pub fn is_given(&self) -> bool {
        matches!(self.0, Origin::Given(_))
    }

    /// Returns the ID as an incident, if it was generated.
    pub(crate) fn incident(&self) -> Option<Incident> {
        match self.0 {
            Origin::Generated(incident) => Some(incident),
            Origin::Given(_) => None,
        }
    }
}

fn is_well_formed(id: &str) -> bool {
    (1..=MAX_LENGTH).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

docent_describe::display!(RequestId, |id| id.as_str());

/// Generates IDs for requests, from a counter and the [seed](Runtime::seed) of a runtime.
/// Transports use it.
#[derive(Debug)]
pub struct RequestIds(Incidents);

impl RequestIds {
    /// Creates a generator with a seed of the runtime.
    pub fn new(runtime: &dyn Runtime) -> Self {
        Self(Incidents::seeded(runtime.seed()))
    }

    /// Generates an ID: 16 hexadecimal digits, different from all others of this generator.
    pub fn generate(&self) -> RequestId {
        RequestId(Origin::Generated(self.0.next(None)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_ids_of_plain_characters_are_taken_over() {
        let longest = "x".repeat(MAX_LENGTH);
        for given in ["a", "A-z_0.9", "...", &longest] {
            let id = RequestId::new(given).expect("well-formed");
            assert_eq!((id.as_str(), id.incident()), (given, None));
        }
        let too_long = "x".repeat(MAX_LENGTH + 1);
        for given in [
            "", " a", "a b", "a\n", "a\0", "é", "a/b", "a\"b", "a,b", &too_long,
        ] {
            assert_eq!(RequestId::new(given), None, "{given:?}");
        }
    }
}
