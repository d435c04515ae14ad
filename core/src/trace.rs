//! The trace that a call belongs to.
//!
//! Only the context of W3C Trace Context is read, so that logs of several services can be
//! connected. Sampling and export are left to subscribers of `tracing`.

/// The trace that a call belongs to, as in the `traceparent` header of W3C Trace Context (section
/// 3.2).
///
/// The transport adds it to the [`Extensions`](crate::Extensions). Handlers get it with
/// [`Cx::extension`](crate::Cx::extension), and the span of the call has it as the field
/// `traceparent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceParent(Box<str>);

/// The length of version 00: `00-`, the trace, the parent and the flags, with dashes between them.
const VALUE_LENGTH: usize = 55;

impl TraceParent {
    /// Parses a value of `traceparent`. Returns `None` if it is malformed, because malformed values
    /// must not be passed on.
    ///
    /// For future versions, the known parts are kept (section 4.3), and the value becomes one of
    /// version 00.
    ///
    /// ```
    /// use docent::TraceParent;
    ///
    /// let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /// let parent = TraceParent::new(header).unwrap();
    /// assert_eq!(parent.trace_id(), "0af7651916cd43dd8448eb211c80319c");
    /// assert!(parent.is_sampled());
    /// assert!(TraceParent::new("00-0-0-0").is_none());
    /// ```
    pub fn new(value: &str) -> Option<Self> {
        let known = value.get(..VALUE_LENGTH)?;
        let rest = &value[VALUE_LENGTH..];
        let parts: Vec<_> = known.split('-').collect();
        let [version, trace, parent, flags] = *parts else {
            return None;
        };
        let ends = match version {
            "ff" => false,
            "00" => rest.is_empty(),
            _ => rest.is_empty() || rest.starts_with('-'),
        };
        let is_whole = is_hex(version, 2) && is_id(trace, 32) && is_id(parent, 16);
        (ends && is_whole && is_hex(flags, 2)).then(|| Self(format!("00{}", &known[2..]).into()))
    }

    /// Returns the value for `traceparent`, in version 00.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the trace ID: 32 hexadecimal digits.
    pub fn trace_id(&self) -> &str {
        &self.0[3..35]
    }

    /// Returns the ID of the calling span: 16 hexadecimal digits.
    pub fn parent_id(&self) -> &str {
        &self.0[36..52]
    }

    /// Returns whether the caller records the trace (section 3.2.2.5.1).
    pub fn is_sampled(&self) -> bool {
        u8::from_str_radix(&self.0[53..], 16).is_ok_and(|flags| flags & 1 == 1)
    }
}

docent_describe::display!(TraceParent, |parent| &parent.0);

/// Returns whether a text has this length and consists of hexadecimal digits in lower case.
fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns whether a text is a hexadecimal number of this length that is not zero.
fn is_id(text: &str, length: usize) -> bool {
    is_hex(text, length) && text.bytes().any(|byte| byte != b'0')
}

#[cfg(test)]
mod tests {
    use super::TraceParent;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const PARENT: &str = "00f067aa0ba902b7";

    #[test]
    fn the_parts_are_those_of_the_specification() {
        let parent = TraceParent::new(&format!("00-{TRACE}-{PARENT}-01")).expect("a trace");
        assert_eq!((parent.trace_id(), parent.parent_id()), (TRACE, PARENT));
        assert!(parent.is_sampled());
        let silent = TraceParent::new(&format!("00-{TRACE}-{PARENT}-02")).expect("a trace");
        assert!(!silent.is_sampled());
    }

    #[test]
    fn of_a_future_version_the_known_parts_are_kept() {
        let known = format!("00-{TRACE}-{PARENT}-01");
        for later in [
            format!("cc-{TRACE}-{PARENT}-01"),
            format!("01-{TRACE}-{PARENT}-01-what-the-future-brings"),
        ] {
            let parent = TraceParent::new(&later).expect("a trace");
            assert_eq!(parent.as_str(), known);
        }
    }

    #[test]
    fn a_malformed_value_is_not_a_trace() {
        for value in [
            String::new(),
            "hello".to_owned(),
            format!("00-{TRACE}-{PARENT}-0"),
            format!("00-{TRACE}-{PARENT}-01-more"),
            format!("00-{TRACE}-{PARENT}-011"),
            format!("01-{TRACE}-{PARENT}-01.more"),
            format!("ff-{TRACE}-{PARENT}-01"),
            format!("0x-{TRACE}-{PARENT}-01"),
            format!("00-{}-{PARENT}-01", TRACE.to_uppercase()),
            format!("00-{}-{PARENT}-01", "0".repeat(32)),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-{TRACE}{PARENT}--01"),
            format!(" 00-{TRACE}-{PARENT}-01"),
            format!("00-{TRACE}-{PARENT}-0é"),
            "é".repeat(40),
        ] {
            assert_eq!(TraceParent::new(&value), None, "{value:?}");
        }
    }
}
