//! The arguments of a call on the command line: `name=text`, `name:=json`, and values by position.
//!
//! They are read before a service is asked, so text stays text here. Which type it is converted to is
//! decided by the description, in `docent_core::Arguments`. What a file has is bytes until then.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use docent_core::Argument;
use docent_describe::json::Json;

use crate::args::CallArgs;
use crate::failure::Failure;
use crate::files;

/// A value for a parameter, with its name or its position.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct TypedArgument {
    /// The name, or the position as a number.
    pub(super) name: String,
    /// The value as it was typed, or as its file has it once that is decoded.
    text: String,
    /// The bytes of the file that the text is in, until they are decoded.
    bytes: Option<Vec<u8>>,
    /// True if it was given with `:=`, so that its type is known.
    is_json: bool,
}

impl TypedArgument {
    /// Reads `name=text`, `name:=json`, `name=@file` or `name:=@file`.
    fn named(argument: &str) -> Result<Self, Failure> {
        let Some((name, value)) = argument
            .split_once('=')
            .filter(|(name, _)| !matches!(*name, "" | ":"))
        else {
            return Err(Failure::usage(format_args!(
                "`{argument}` is not an argument: write name=text or name:=json, and positions \
                 after --"
            )));
        };
        match name.strip_suffix(':') {
            Some(name) => Self::new(name, value, true),
            None => Self::new(name, value, false),
        }
    }

    /// Reads the value at a position: text, or `:=json`, `:=@file`, `=text` or `=@file`.
    fn positional(position: usize, argument: &str) -> Result<Self, Failure> {
        let name = position.to_string();
        if let Some(json) = argument.strip_prefix(":=") {
            return Self::new(&name, json, true);
        }
        match argument.strip_prefix('=') {
            Some(value) => Self::new(&name, value, false),
            None => Ok(Self {
                name,
                text: argument.to_owned(),
                bytes: None,
                is_json: false,
            }),
        }
    }

    fn new(name: &str, value: &str, is_json: bool) -> Result<Self, Failure> {
        let mut bytes = None;
        let text = match value.strip_prefix('@') {
            Some(file) if is_json => files::read_text(Path::new(file))?,
            Some(file) => {
                bytes = Some(files::read_input(Path::new(file))?);
                String::new()
            }
            None => value.to_owned(),
        };
        if is_json && let Err(error) = text.parse::<Json>() {
            return Err(Failure::usage(format_args!("{name}: not JSON: {error}")));
        }
        Ok(Self {
            name: name.to_owned(),
            text,
            bytes,
            is_json,
        })
    }

    /// Decodes the file that was given, if one was: to base64 for a parameter that takes it, and to text for any other.
    pub(super) fn decode_file(&mut self, takes_base64: bool) -> Result<(), Failure> {
        match self.bytes.take() {
            Some(bytes) if takes_base64 => self.text = STANDARD.encode(bytes),
            Some(bytes) => {
                self.text = String::from_utf8(bytes).map_err(|_| {
                    Failure::usage(format_args!(
                        "{}: the file is not UTF-8 text, and the parameter does not take bytes as base64",
                        self.name
                    ))
                })?;
            }
            None => {}
        }
        Ok(())
    }

    /// Returns the position that the value was given for.
    pub(super) fn position(&self) -> Option<usize> {
        self.name.parse().ok()
    }

    pub(super) fn argument(&self) -> Argument<'_> {
        if self.is_json {
            Argument::Json(&self.text)
        } else {
            Argument::Text(&self.text)
        }
    }

    /// Returns JSON for a value of unknown type: text is a string.
    pub(super) fn unchecked(&self) -> Json {
        if self.is_json {
            // It was parsed successfully before.
            self.text.parse().unwrap_or_default()
        } else {
            Json::from(self.text.as_str())
        }
    }
}

/// Reads the arguments and the positions.
pub(super) fn typed_arguments(args: &CallArgs) -> Result<Vec<TypedArgument>, Failure> {
    let mut typed = Vec::new();
    for argument in &args.arguments {
        typed.push(TypedArgument::named(argument)?);
    }
    for (position, argument) in args.positions.iter().enumerate() {
        typed.push(TypedArgument::positional(position, argument)?);
    }
    Ok(typed)
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
        let text = |text| (text, false);
        let json = |text| (text, true);
        for (argument, name, value) in [
            ("a=b", "a", text("b")),
            ("a=", "a", text("")),
            ("a=b=c:=d", "a", text("b=c:=d")),
            ("a:=1e400", "a", json("1e400")),
            ("a:=\"=\"", "a", json("\"=\"")),
            ("a:b=c", "a:b", text("c")),
        ] {
            let given = TypedArgument::named(argument).expect(argument);
            let found = (given.name.as_str(), (given.text.as_str(), given.is_json));
            assert_eq!(found, (name, value), "{argument}");
        }
        for wrong in ["a", "=a", "a:={", ""] {
            assert!(TypedArgument::named(wrong).is_err(), "{wrong}");
        }
        for (argument, value) in [
            ("-5", text("-5")),
            (":=[1]", json("[1]")),
            ("==", text("=")),
        ] {
            let given = TypedArgument::positional(0, argument).expect(argument);
            assert_eq!((given.text.as_str(), given.is_json), value, "{argument}");
        }
    }
}
