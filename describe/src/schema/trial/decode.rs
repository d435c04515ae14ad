//! Decodes a sample as a call does, and records the hints of the type.
//!
//! A sample is written as text, because the decoder of calls reads text. So the hints have the offsets of values; the
//! rest of a trial looks them up by pointers.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::json::de::{
    DecodeError, DecodeObserver, DecodeProblem, DecodeResult, Decoder, Hint, KeyHint,
};
use crate::json::{Cursor, Json, Pointer, cursor_at, pointer_to};

/// A hint, and the offset of the value or of the name that it is about.
struct RecordedHint<H> {
    offset: usize,
    hint: H,
}

/// Records the hints of a type.
#[derive(Default)]
pub(crate) struct HintRecorder {
    /// The hints about values, in order.
    hints: Vec<RecordedHint<Hint>>,
    /// The hints about the names of members.
    key_hints: Vec<RecordedHint<KeyHint>>,
    /// The offset of a value that fails to decode, whatever the type expects.
    broken: Option<usize>,
}

impl DecodeObserver for HintRecorder {
    fn hint(&mut self, offset: usize, hint: Hint) -> DecodeResult<()> {
        self.hints.push(RecordedHint { offset, hint });
        if self.broken == Some(offset) {
            return Err(DecodeError::new(DecodeProblem::Unexplained));
        }
        Ok(())
    }

    fn key_hint(&mut self, offset: usize, hint: KeyHint) {
        self.key_hints.push(RecordedHint { offset, hint });
    }

    fn restart(&mut self) {
        *self = Self {
            broken: self.broken,
            ..Self::default()
        };
    }
}

/// The outcome of one attempt to decode a sample.
pub(in crate::schema) struct Attempt {
    /// The sample.
    text: String,
    /// The hints of the type.
    recorder: HintRecorder,
    /// The reason for which the type does not take the sample, if it does not.
    pub(super) outcome: DecodeResult<()>,
}

impl Attempt {
    /// Returns the first hint of the type.
    pub(in crate::schema) fn first_hint(&self) -> Hint {
        self.recorder
            .hints
            .first()
            .map_or(Hint::Any, |recorded| recorded.hint)
    }

    /// Returns the last hint of the type.
    pub(super) fn last_hint(&self) -> Option<Hint> {
        self.recorder.hints.last().map(|recorded| recorded.hint)
    }

    /// Returns the pointer to the value that the last hint is about.
    pub(super) fn last_pointer(&self) -> Option<Pointer> {
        let last = self.recorder.hints.last()?;
        Some(pointer_to(Cursor::new(&self.text), last.offset))
    }

    /// Returns the hints about the value that a pointer leads to.
    pub(super) fn hints_at(&self, pointer: &Pointer) -> impl Iterator<Item = Hint> {
        let offset = offset_of(&self.text, pointer);
        self.recorder
            .hints
            .iter()
            .filter(move |recorded| Some(recorded.offset) == offset)
            .map(|recorded| recorded.hint)
    }

    /// Returns the keys that the type asks for in the object that a pointer leads to.
    pub(super) fn key_hint_at(&self, pointer: &Pointer) -> Option<KeyHint> {
        let mut members = cursor_at(&self.text, pointer)?;
        if members.peek() != b'{' {
            return None;
        }
        members.step();
        loop {
            members.next_item();
            let name_offset = members.offset();
            for recorded in &self.recorder.key_hints {
                if recorded.offset == name_offset {
                    return Some(recorded.hint);
                }
            }
            members.next_member()?;
            members.value();
        }
    }

    /// Returns the first member that the type misses.
    pub(in crate::schema) fn missing(&self) -> Option<&'static str> {
        match self.outcome.as_ref().err()?.problem() {
            DecodeProblem::Missing(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the member that is there twice, perhaps under two names.
    pub(super) fn duplicate(&self) -> Option<&str> {
        match self.outcome.as_ref().err()?.problem() {
            DecodeProblem::Twice(name) => Some(name),
            _ => None,
        }
    }
}

/// Decodes a sample.
pub(in crate::schema) fn attempt(sample: &Json, decode: Decode) -> Attempt {
    let text = sample.to_string();
    let mut decoder = Decoder::observed(&text, HintRecorder::default());
    let outcome = decoder.run(decode);
    Attempt {
        recorder: decoder.into_observer(),
        outcome,
        text,
    }
}

/// Returns whether a type takes a sample.
pub(super) fn is_taken(sample: &Json, decode: Decode) -> bool {
    attempt(sample, decode).outcome.is_ok()
}

/// Returns whether a type takes a sample even if nothing can be decoded where a pointer leads.
pub(super) fn is_taken_without(pointer: &Pointer, sample: &Json, decode: Decode) -> bool {
    let text = sample.to_string();
    let recorder = HintRecorder {
        broken: offset_of(&text, pointer),
        ..HintRecorder::default()
    };
    Decoder::observed(&text, recorder).run(decode).is_ok()
}

/// Returns the offset of the value that a pointer leads to.
fn offset_of(text: &str, pointer: &Pointer) -> Option<usize> {
    cursor_at(text, pointer).map(|cursor| cursor.offset())
}

/// Decodes a type from a sample. This is a function pointer, so that the code around it is compiled once, and not once
/// for each type.
pub(crate) type Decode = for<'s> fn(&mut Decoder<'s, HintRecorder>) -> DecodeResult<()>;

/// Decodes a `P`.
pub(crate) fn decode<P: DeserializeOwned>(
    decoder: &mut Decoder<'_, HintRecorder>,
) -> DecodeResult<()> {
    decoder.value(PhantomData::<P>).map(drop)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer};
    use serde_json::Value;

    use super::{Decode, attempt, decode, is_taken, is_taken_without};
    use crate::json::de::Hint;
    use crate::json::{Json, Pointer};

    /// A text that cannot be borrowed if it is written with escapes.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Borrowed;

    impl<'de> Deserialize<'de> for Borrowed {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            <&str>::deserialize(deserializer).map(|_| Self)
        }
    }

    /// Bytes that cannot be borrowed if they are written with escapes.
    struct BorrowedBytes;

    impl<'de> Deserialize<'de> for BorrowedBytes {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            <&[u8]>::deserialize(deserializer).map(|_| Self)
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only decoded")]
    enum Untagged {
        Number(u32),
    }

    /// A newtype that only null ends.
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only decoded")]
    struct Endless(Option<Box<Endless>>);

    fn json(text: &str) -> Json {
        text.parse().unwrap()
    }

    #[test]
    fn a_sample_is_taken_if_a_call_takes_it() {
        let u128_max = "340282366920938463463374607431768211455";
        // The nearest float is finite, but the number is beyond the bounds that schemas publish.
        let beyond_f32 = "3.40282355e38";
        let cases: [(Decode, &str, bool); 11] = [
            (decode::<u128>, u128_max, true),
            (decode::<f32>, beyond_f32, false),
            (decode::<Value>, "1e400", false),
            (decode::<Untagged>, "42.0", true),
            (decode::<Untagged>, "42.5", false),
            (decode::<Borrowed>, r#""a\nb""#, false),
            (decode::<BTreeMap<Borrowed, u8>>, r#"{"a": 1}"#, true),
            (decode::<BTreeMap<Borrowed, u8>>, r#"{"a\nb": 1}"#, false),
            (decode::<BorrowedBytes>, r#""a""#, true),
            (decode::<BorrowedBytes>, r#""a\nb""#, false),
            (decode::<Endless>, "null", true),
        ];
        for (decode, sample, expected) in cases {
            assert_eq!(is_taken(&json(sample), decode), expected, "{sample}");
        }
    }

    #[test]
    fn a_newtype_that_holds_itself_ends() {
        assert!(!is_taken(&json("1"), decode::<Endless>));
        assert!(is_taken(&json("[null, null]"), decode::<Vec<Endless>>));
    }

    #[test]
    fn hints_are_found_by_pointers() {
        let attempt = attempt(
            &json(r#"{"a": [1, "x"]}"#),
            decode::<BTreeMap<String, Vec<u8>>>,
        );
        let inner = Pointer::root().join("a");
        assert_eq!(attempt.first_hint(), Hint::Map);
        assert_eq!(attempt.hints_at(&inner).collect::<Vec<_>>(), [Hint::Seq]);
        assert_eq!(attempt.last_hint(), Some(Hint::Number("uint8")));
        assert_eq!(attempt.last_pointer(), Some(inner.join(1)));
        assert_eq!(attempt.hints_at(&Pointer::root().join("b")).count(), 0);
        assert!(attempt.outcome.is_err());
    }

    #[test]
    fn a_type_that_forgives_takes_a_sample_without_a_part() {
        /// A type that takes whatever is there if it is no number.
        struct Forgiving;

        impl<'de> Deserialize<'de> for Forgiving {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let _ = u8::deserialize(deserializer);
                Ok(Self)
            }
        }

        #[derive(Deserialize)]
        #[expect(dead_code, reason = "only decoded")]
        struct Params {
            a: Forgiving,
            b: u8,
        }

        let sample = json(r#"{"a": 1, "b": 2}"#);
        let decode: Decode = decode::<Params>;
        assert!(is_taken_without(
            &Pointer::root().join("a"),
            &sample,
            decode
        ));
        assert!(!is_taken_without(
            &Pointer::root().join("b"),
            &sample,
            decode
        ));
        assert!(!is_taken_without(&Pointer::root(), &sample, decode));
    }
}
