//! Converts `format` from the generator's values to those that a description may have.
//!
//! schemars uses `format` for the names of Rust's types (`uint8`, `double`) and for forms that JSON
//! Schema has no name for (`ip`, `partial-time`). Validators in strict mode reject a schema with an
//! unknown format, so a description has only JSON Schema's own formats.

use std::sync::LazyLock;

use super::keyword::change_all;
use crate::Components;
use crate::ProcedureDescription;
use crate::json::{Json, Object};

/// The member that replaces a `format` that JSON Schema does not define.
pub const OWN_FORMAT: &str = "x-format";

/// The formats of JSON Schema 2020-12 (validation, section 7.3) that common validators support,
/// which excludes internationalized addresses, names and identifiers.
const DEFINED: [&str; 15] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// The hour and the minute of a day, or of an offset.
const MINUTE: &str = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

/// Hours, minutes and seconds, at least one of them.
const SPAN: &str = "(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+S)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";

/// A day of the calendar: months with 31, 30 and 28 days, and 29 February in leap years.
const DAY: &str = concat!(
    "(?:[0-9]{4}-(?:",
    "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
);

/// A time of day, alone or with a date, without an offset. Both chrono and jiff can read it: both accept
/// a leap second, and jiff reads at most nine digits of a second.
static PARTIAL: LazyLock<[(&str, String); 2]> = LazyLock::new(|| {
    let time = format!(r"{MINUTE}:(?:[0-5][0-9]|60)(?:\.[0-9]{{1,9}})?");
    [
        ("partial-time", format!("^{time}$")),
        ("partial-date-time", format!("^{DAY}T{time}$")),
    ]
});

/// Formats that a pattern can express, for readers that know no formats and compile no schema with
/// an unknown one, and the grammar of the checks. The patterns accept the same texts as the checks,
/// except that they know leap seconds only in UTC.
pub(super) static PATTERNS: LazyLock<[(&str, String); 5]> = LazyLock::new(|| {
    // A time of day with an offset from UTC, without a leap second; and a leap second in UTC, the last
    // second of a day.
    let clock = format!(r"{MINUTE}:[0-5][0-9](?:\.[0-9]+)?(?:[Zz]|[-+]{MINUTE})");
    let leap = r"23:59:60(?:\.[0-9]+)?[Zz]";
    let last_day = "[0-9]{4}-(?:06-30|12-31)";
    let date = "(?:[0-9]+Y(?:[0-9]+M)?(?:[0-9]+D)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)";
    let hexadecimal = "[0-9A-Fa-f]";
    [
        ("date", format!("^{DAY}$")),
        ("time", format!("^(?:{clock}|{leap})$")),
        (
            "date-time",
            format!("^(?:{DAY}[Tt]{clock}|{last_day}[Tt]{leap})$"),
        ),
        (
            "duration",
            format!("^P(?:[0-9]+W|{date}(?:T{SPAN})?|T{SPAN})$"),
        ),
        (
            "uuid",
            format!("^{hexadecimal}{{8}}(?:-{hexadecimal}{{4}}){{3}}-{hexadecimal}{{12}}$"),
        ),
    ]
});

/// Returns the pattern that is equivalent to a format, if there is one.
pub(crate) fn pattern_of(format: &str) -> Option<&'static str> {
    PATTERNS
        .iter()
        .find(|(known, _)| *known == format)
        .map(|(_, pattern)| &**pattern)
}

/// Returns whether a description may use this format.
pub fn is_defined_format(format: &str) -> bool {
    DEFINED.contains(&format)
}

/// Returns whether a format is the generator's name for a numeric type, which its bounds already
/// express.
pub fn is_numeric_format(format: &str) -> bool {
    super::bounds::is_width(format)
}

/// Replaces a generated format by other keywords of JSON Schema, if they can express it.
pub(super) fn spell_out(schema: &mut Object) {
    let Some(Json::String(format)) = schema.get("format") else {
        return;
    };
    let pattern = PARTIAL.iter().find(|(partial, _)| partial == format);
    if let Some((_, pattern)) = pattern
        && !schema.contains_key("pattern")
    {
        schema.shift_remove("format");
        schema.insert("pattern", Json::from(&**pattern));
    } else if format == "ip" && !schema.contains_key("anyOf") {
        schema.shift_remove("format");
        schema.insert("anyOf", ip_versions());
    }
}

/// Returns the alternatives for addresses of both versions.
pub(super) fn ip_versions() -> Json {
    let versions = ["ipv4", "ipv6"].map(|version| Object::from([("format", version.into())]));
    Json::Array(versions.map(Json::from).into())
}

/// Prepares a generated schema for publication.
///
/// Until then, `format` tells which type serde decodes: an `i64` needs no check of its bounds. This
/// is only for internal use, so the names of numeric types are removed, and their bounds remain. A
/// format that JSON Schema does not define becomes `x-format`.
pub fn publish_formats(schema: &mut Json) {
    change_all(schema, &mut |members| {
        let Some(Json::String(format)) = members.get("format") else {
            return;
        };
        if is_defined_format(format) {
            return;
        }
        let numeric = is_numeric_format(format);
        if let Some(format) = members.shift_remove("format")
            && !numeric
        {
            members.insert(OWN_FORMAT.to_owned(), format);
        }
    });
}

impl ProcedureDescription {
    /// Returns the schemas of the procedure, mutably: of its parameters, its result, and its
    /// errors' data.
    pub fn schemas_mut(&mut self) -> impl Iterator<Item = &mut Json> {
        let params = self.params.iter_mut().map(|param| &mut param.schema);
        let returns = self.returns.iter_mut().map(|returns| &mut returns.schema);
        let errors = self
            .errors
            .iter_mut()
            .filter_map(|error| error.data.as_mut());
        params.chain(returns).chain(errors)
    }
}

impl Components {
    /// Returns the shared schemas, mutably.
    pub fn schemas_mut(&mut self) -> impl Iterator<Item = &mut Json> {
        self.schemas.values_mut()
    }
}
