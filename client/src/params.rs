//! Parameters as JSON.
//!
//! JSON has no numbers that are infinite or not a number. `serde_json` would write null for them; a client refuses such
//! parameters before anything is sent, and says which value it is.

use docent_core::__private::{Finite, pointer_to};
use docent_describe::json::{Cursor, Pointer};
use serde::Serialize;
use serde::ser::Error as _;
use serde_json::value::{RawValue, to_raw_value};

/// Serialises all parameters of a call. The error names the parameter that JSON cannot represent, with the pointer
/// to the value inside it.
pub(crate) fn params_to_json<P: Serialize + ?Sized>(
    params: &P,
) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(&Finite(params)).map_err(|error| {
        let written = written_part(params);
        let pointer = end_pointer(&written);
        match pointer.as_str().strip_prefix('/') {
            None => error,
            Some(pointer) if written.starts_with('[') => {
                located(&format!("position {pointer}"), &error)
            }
            Some(pointer) => located(pointer, &error),
        }
    })
}

/// Serialises the parameter of this name.
pub(crate) fn param_to_json<P: Serialize + ?Sized>(
    name: &str,
    param: &P,
) -> serde_json::Result<Box<RawValue>> {
    to_raw_value(&Finite(param)).map_err(|error| {
        let pointer = end_pointer(&written_part(param));
        located(&format!("{name}{pointer}"), &error)
    })
}

/// Returns what can be written of a value that JSON cannot represent.
fn written_part(value: &(impl Serialize + ?Sized)) -> String {
    let mut written = Vec::new();
    // It fails again, where it failed before.
    let _ = serde_json::to_writer(&mut written, &Finite(value));
    String::from_utf8_lossy(&written).into_owned()
}

/// Returns the pointer to the value at the end of an unfinished text.
fn end_pointer(written: &str) -> Pointer {
    pointer_to(Cursor::new(written), written.len())
}

/// Adds the location of a value to the error that says what is wrong with it.
fn located(location: &str, error: &serde_json::Error) -> serde_json::Error {
    serde_json::Error::custom(format_args!("{location}: {error}"))
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::{param_to_json, params_to_json};

    #[derive(Serialize)]
    struct Params {
        rows: Vec<[f64; 2]>,
    }

    #[test]
    fn what_json_cannot_represent_is_named() {
        let reason = "a number is infinite or NaN, which JSON cannot represent";
        let rows = |number| Params {
            rows: vec![[0.5, -0.0], [1.5, number]],
        };
        for (result, place) in [
            (params_to_json(&rows(f64::NAN)), "rows/1/1: "),
            (params_to_json(&[0.0, f64::INFINITY]), "position 1: "),
            (params_to_json(&f64::NAN), ""),
            (param_to_json("limit", &f64::NEG_INFINITY), "limit: "),
            (param_to_json("limits", &[[f64::NAN]]), "limits/0/0: "),
        ] {
            assert_eq!(
                result.expect_err("an error").to_string(),
                format!("{place}{reason}")
            );
        }
        let sent = params_to_json(&rows(2.5)).expect("JSON");
        assert_eq!(sent.get(), r#"{"rows":[[0.5,-0.0],[1.5,2.5]]}"#);
    }
}
