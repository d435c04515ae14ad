//! The reports of a decoder to its observer, and what the observer can refuse.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::json::de::{
    DecodeError, DecodeObserver, DecodeProblem, DecodeResult, Decoder, Hint, KeyHint,
};

/// Records everything, and refuses the values at one offset.
#[derive(Default)]
struct Recorder {
    hints: Vec<(usize, Hint)>,
    key_hints: Vec<(usize, KeyHint)>,
    restarts: usize,
    refused: Option<usize>,
}

impl DecodeObserver for Recorder {
    fn hint(&mut self, offset: usize, hint: Hint) -> DecodeResult<()> {
        self.hints.push((offset, hint));
        if self.refused == Some(offset) {
            return Err(DecodeError::new(DecodeProblem::Unexplained));
        }
        Ok(())
    }

    fn key_hint(&mut self, offset: usize, hint: KeyHint) {
        self.key_hints.push((offset, hint));
    }

    fn restart(&mut self) {
        self.restarts += 1;
    }
}

/// Decodes a text that a type takes, and returns what was observed.
#[track_caller]
fn observed<T: DeserializeOwned>(text: &str) -> Recorder {
    let mut decoder = Decoder::observed(text, Recorder::default());
    let outcome = decoder.run(|decoder| decoder.value(PhantomData::<T>));
    assert!(outcome.is_ok(), "{text}: {:?}", outcome.err());
    decoder.into_observer()
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Order {
    id: Id,
    lines: Vec<(String, f32)>,
    note: Option<Shipping>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
struct Id(u16);

#[derive(Deserialize)]
#[expect(dead_code, reason = "only decoded")]
enum Shipping {
    Post,
    Courier { hours: u8 },
}

#[test]
fn an_observer_is_notified_of_what_a_type_asks_for_at_each_value() {
    let text = r#" {"id": 7, "lines" : [["a", 1]], "note": {"Courier": {"hours": 2}}}"#;
    let observed = observed::<Order>(text);
    let expected = [
        ("{\"id", Hint::Struct(&["id", "lines", "note"])),
        ("7", Hint::Number("uint16")),
        ("[[", Hint::Seq),
        ("[\"a", Hint::Tuple),
        ("\"a\"", Hint::Text),
        ("1]", Hint::Number("float")),
        ("{\"Courier", Hint::Option),
        ("{\"Courier", Hint::Enum(&["Post", "Courier"])),
        ("{\"hours", Hint::Struct(&["hours"])),
        ("2}", Hint::Number("uint8")),
    ];
    let expected = expected.map(|(beginning, hint)| (text.find(beginning).unwrap(), hint));
    assert_eq!(observed.hints, expected);

    assert_eq!(observed.key_hints, []);
    assert_eq!(observed.restarts, 0);
}

#[test]
fn an_observer_is_notified_of_the_keys_of_a_map() {
    let text = r#"{"-1": {"true": 3}, "2": {}}"#;
    let observed = observed::<BTreeMap<i8, BTreeMap<bool, u8>>>(text);
    let integer = KeyHint::Integer {
        least: -128,
        greatest: 127,
    };
    let expected = [
        ("\"-1\"", integer),
        ("\"true\"", KeyHint::Bool),
        ("\"2\"", integer),
    ];
    let expected = expected.map(|(name, hint)| (text.find(name).unwrap(), hint));
    assert_eq!(observed.key_hints, expected);
    assert!(
        observed
            .hints
            .iter()
            .all(|(_, hint)| matches!(hint, Hint::Map | Hint::Number("uint8")))
    );
}

#[test]
fn an_observer_refuses_a_value_in_place_of_its_type() {
    let text = r#"{"id": 7, "lines": []}"#;
    for (refused, is_taken) in [
        (None, true),
        (text.find('7'), false),
        (text.find("[]"), false),
        // A name is no value.
        (text.find("\"id\""), true),
    ] {
        let recorder = Recorder {
            refused,
            ..Recorder::default()
        };
        let outcome =
            Decoder::observed(text, recorder).run(|decoder| decoder.value(PhantomData::<Order>));
        assert_eq!(outcome.is_ok(), is_taken, "{refused:?}");
    }
}

#[test]
fn an_observer_begins_anew_when_the_text_is_decoded_once_more() {
    #[derive(Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only decoded")]
    enum Size {
        Number(u32),
    }

    assert_eq!(observed::<Size>("42").restarts, 0);
    assert_eq!(observed::<Size>("42.0").restarts, 1);
}
