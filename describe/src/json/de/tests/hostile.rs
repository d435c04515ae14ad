//! Types and texts that would crash a careless decoder.

use std::marker::PhantomData;

use serde::Deserialize;
use serde_json::Value;

use crate::json::de::Decoder;

#[derive(Debug, Deserialize)]
struct Chain {
    #[serde(rename = "next")]
    _next: Option<Box<Chain>>,
}

/// A newtype that only null ends.
#[derive(Debug, Deserialize)]
struct Endless(#[expect(dead_code, reason = "only decoded")] Option<Box<Endless>>);

#[test]
fn text_that_is_not_json_never_panics_wherever_it_ends() {
    let text = r#"{"a": [1, -2.5e3, "x\u00e9\n", {"b": null}], "c": true, "d": false} "#;
    for end in 0..text.len() {
        let Some(cut) = text.get(..end) else { continue };
        for garbage in ["", "\\", "\"", "é", "{", "]", ",", ":", "-", "nul"] {
            let broken = format!("{cut}{garbage}");
            let _ = Decoder::new(&broken).value(PhantomData::<Value>);
            let _ = Decoder::new(&broken).value(PhantomData::<Chain>);
            Decoder::new(&broken).cursor.value();
        }
    }
}

#[test]
fn a_newtype_that_holds_itself_is_nested_too_deeply() {
    let error = Decoder::new(" 1")
        .value(PhantomData::<Endless>)
        .unwrap_err();
    assert_eq!(error.offset(), Some(1));
    assert_eq!(error.reason(" 1"), "nested too deeply");
}

#[test]
fn newtypes_are_counted_anew_for_each_value() {
    let nulls = format!("[{}]", vec!["null"; 100].join(","));
    let all = Decoder::new(&nulls).value(PhantomData::<Vec<Endless>>);
    assert_eq!(all.unwrap().len(), 100);
}
