//! The arguments of a call on the command line.

use std::path::Path;

use docent_core::Argument;
use docent_describe::json::Json;

use crate::failure::Failure;
use crate::files;

/// A value for a parameter, with its name or its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Given {
    name: String,
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Text(String),
    Json(String),
}

impl Given {
    /// Reads `name=text`, `name:=json`, `name=@file` or `name:=@file`.
    pub(super) fn named(argument: &str) -> Result<Self, Failure> {
        let Some((name, rest)) = argument
            .split_once('=')
            .filter(|(name, _)| !matches!(*name, "" | ":"))
        else {
            return Err(Failure::usage(format_args!(
                "`{argument}` is no argument: write name=text or name:=json, and positions after --"
            )));
        };
        match name.strip_suffix(':') {
            Some(name) if !name.is_empty() => Self::new(name, rest, true),
            _ => Self::new(name, rest, false),
        }
    }

    /// Reads the value at a position: text, or `:=json`, `:=@file`, `=text` or `=@file`.
    pub(super) fn at(position: usize, argument: &str) -> Result<Self, Failure> {
        let name = position.to_string();
        if let Some(json) = argument.strip_prefix(":=") {
            return Self::new(&name, json, true);
        }
        match argument.strip_prefix('=') {
            Some(text) => Self::new(&name, text, false),
            None => Ok(Self {
                name,
                value: Value::Text(argument.to_owned()),
            }),
        }
    }

    fn new(name: &str, value: &str, is_json: bool) -> Result<Self, Failure> {
        let text = match value.strip_prefix('@') {
            Some(file) => files::read_text(Path::new(file))?,
            None => value.to_owned(),
        };
        if is_json && let Err(error) = text.parse::<Json>() {
            return Err(Failure::usage(format_args!("{name}: not JSON: {error}")));
        }
        Ok(Self {
            name: name.to_owned(),
            value: if is_json {
                Value::Json(text)
            } else {
                Value::Text(text)
            },
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn argument(&self) -> Argument<'_> {
        match &self.value {
            Value::Text(text) => Argument::Text(text),
            Value::Json(text) => Argument::Json(text),
        }
    }

    /// Returns JSON for a value of unknown type: text is a string.
    pub(super) fn unchecked(&self) -> Json {
        match &self.value {
            Value::Text(text) => Json::from(text.as_str()),
            // It was parsed successfully before.
            Value::Json(text) => text.parse().unwrap_or_default(),
        }
    }
}

/// Reads the value of `--params`: JSON, `@FILE`, or `-` for standard input.
pub(super) fn params(given: &str) -> Result<String, Failure> {
    let text = match given.strip_prefix('@') {
        Some(file) => files::read_text(Path::new(file))?,
        None if given == "-" => files::read_text(Path::new("-"))?,
        None => given.to_owned(),
    };
    match text.parse::<Json>() {
        Ok(_) => Ok(text.trim().to_owned()),
        Err(error) => Err(Failure::usage(format_args!("--params: not JSON: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_text_or_json() {
        let given = |text| {
            let given = Given::named(text).expect("an argument");
            (given.name.clone(), given.value)
        };
        let text = |text: &str| Value::Text(text.to_owned());
        let json = |text: &str| Value::Json(text.to_owned());
        for (argument, name, value) in [
            ("a=b", "a", text("b")),
            ("a=", "a", text("")),
            ("a=b=c:=d", "a", text("b=c:=d")),
            ("a:=1e400", "a", json("1e400")),
            ("a:=\"=\"", "a", json("\"=\"")),
            ("a:b=c", "a:b", text("c")),
        ] {
            assert_eq!(given(argument), (name.to_owned(), value), "{argument}");
        }
        for wrong in ["a", "=a", "a:={", ""] {
            assert!(Given::named(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Given::at(0, "-5").expect("a position").value, text("-5"));
        assert_eq!(
            Given::at(0, ":=[1]").expect("a position").value,
            json("[1]")
        );
        assert_eq!(Given::at(1, "==").expect("a position").value, text("="));
    }
}
