//! Samples that a type refuses, and their reports.

use std::collections::HashSet;

use docent_describe::json::{Json, Pointer, shorten};

use crate::bind::BindError;
use crate::service::assembly::findings::Findings;
use docent_describe::brief::quote;

/// The maximum number of characters of a sample that are shown.
pub(super) const SHOWN: usize = 120;

/// The extent to which the type accepts the values that the schema allows at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The type accepts other texts, numbers or names.
    Narrower,
    /// The type accepts nothing, as far as is known.
    Nothing,
}

/// A sample that was refused.
pub(super) struct Refused {
    sample: Json,
    pointer: Pointer,
    reason: String,
    pub(super) extent: Extent,
    /// Set if a part of the parameter is decoded from a buffer.
    buffered: bool,
}

impl Refused {
    pub(super) fn new(sample: Json, error: &BindError, extent: Extent, buffered: bool) -> Self {
        Self {
            sample,
            pointer: error.pointer().clone(),
            reason: error.reason().to_owned(),
            extent,
            buffered,
        }
    }

    /// Returns whether this refusal adds nothing to the other one. Elements of a list are all of one
    /// type, and of two places, one may be known less precisely.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let names = |refused: &Self| -> Vec<String> {
            let tokens = refused.pointer.tokens();
            tokens
                .filter(|token| !token.bytes().all(|byte| byte.is_ascii_digit()))
                .collect()
        };
        let (own, others) = (names(self), names(other));
        let is_within = own.starts_with(&others) || others.starts_with(&own);
        self.extent == other.extent
            && self.is_other_kind() == other.is_other_kind()
            && if self.buffered {
                is_within && self.cure() == other.cure()
            } else {
                own == others
            }
    }

    /// Returns whether the type decodes values of another kind at this place, as an author's own
    /// function does.
    fn is_other_kind(&self) -> bool {
        let is_kind = [
            "expected a string, ",
            "expected an integer, ",
            "expected a number, ",
            "expected an array, ",
            "expected an object, ",
            "expected true or false, ",
        ]
        .iter()
        .any(|words| self.reason.starts_with(words));
        is_kind && !(self.buffered && self.is_about_a_name())
    }

    /// Returns whether the refused string is the name of a member, which a buffer keeps as a
    /// string.
    fn is_about_a_name(&self) -> bool {
        let found = self.reason.split_once("found the string ");
        found.is_some_and(|(_, quoted)| {
            let mut is_name = false;
            for_each_name(&self.sample, &mut |name| is_name |= quote(name) == quoted);
            is_name
        })
    }

    /// Returns whether a map has keys of a type that is not decoded from a text.
    fn is_about_a_key_that_is_no_text(&self) -> bool {
        let expected = self.reason.strip_prefix("in the member's name: expected ");
        let others = ["an object", "an array", "null", "a number,"];
        expected.is_some_and(|expected| others.iter().any(|it| expected.starts_with(it)))
    }

    /// Reports the refusal: as a mistake, or as a warning that is given once for a type.
    pub(super) fn report(
        &self,
        procedure: &str,
        parameter: &str,
        warned: &mut HashSet<String>,
        findings: &mut Findings,
    ) {
        let refusal = self.text();
        let start = format!("parameter `{parameter}`: {refusal}");
        if self.is_other_kind() {
            findings.warning(
                procedure,
                format_args!(
                    "{start}; a function that decodes another type (`deserialize_with`) needs a \
                     schema of its own, such as `#[schemars(with = \"…\")]`"
                ),
            );
        } else if self.extent == Extent::Nothing {
            let cure = self.cure();
            findings.mistake(
                procedure,
                format_args!("{start}; {cure}, or call `.unchecked(reason)` on the procedure"),
            );
        } else if warned.insert(refusal) {
            findings.warning(
                procedure,
                format_args!(
                    "{start}; callers who send it get -32602 with that reason. To publish what the \
                     type takes, narrow its schema in `#[schemars(…)]`: `range`, `regex` or \
                     `extend(\"pattern\" = \"…\")`"
                ),
            );
        }
    }

    fn text(&self) -> String {
        let text = self.sample.to_string();
        let shown = shorten(&text, SHOWN);
        let place = if self.pointer.is_root() {
            String::new()
        } else {
            format!(" at {}", self.pointer)
        };
        let reason = &self.reason;
        format!("the schema allows {shown}, but serde rejects it{place}: {reason}")
    }

    fn cure(&self) -> &'static str {
        let says = |words: &str| self.reason.contains(words);
        if says("is missing") || says("is given twice") {
            return "where a struct and one flattened into it have a field of the same name, \
                    rename one of them";
        }
        if self.is_about_a_key_that_is_no_text() {
            return "names in JSON are strings: use keys that serialise to strings, such as a \
                    newtype of `String`, or a list of pairs in place of the map";
        }
        if says("OS string on ") {
            return "an `OsString` is serialised differently on each system: use a `String`, or a \
                    `PathBuf` for a path";
        }
        if !self.buffered {
            return "describe in the schema of the type what it accepts \
                    (`#[schemars(extend(\"pattern\" = \"…\"))]` or another keyword, or `with = \
                    \"…\"`)";
        }
        if says("128 is not supported") {
            return "128-bit integers cannot be decoded inside untagged, internally tagged or \
                    flattened types: use 64-bit ones, or tag the enum externally";
        }
        "serde buffers what is inside untagged and internally tagged enums, content before its \
         tag, and flattened fields, and its buffer supports no integer keys, no 128-bit integers \
         and no raw values: use other types there, or tag the enum externally"
    }
}

/// Visits the names of all members in a value.
fn for_each_name(value: &Json, visit: &mut dyn FnMut(&str)) {
    match value {
        Json::Array(elements) => elements.iter().for_each(|it| for_each_name(it, visit)),
        Json::Object(members) => members.iter().for_each(|(name, value)| {
            visit(name);
            for_each_name(value, visit);
        }),
        _ => {}
    }
}
