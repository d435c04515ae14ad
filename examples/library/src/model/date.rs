//! Calendar dates.
//!
//! The `time` crate, already a dependency of the HTTP server, knows the calendar. Its parsers
//! accept several spellings of a date, but the database compares dates as text, so this module
//! accepts only one.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use time::{Duration, Month};

/// A date of the Gregorian calendar between the years 0 and 9999, written `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(time::Date);

/// The error for a text that is not a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidDate;

/// The first date whose year has four digits and no sign, so that dates sort the same as their
/// texts.
const FIRST_DATE: time::Date = match time::Date::from_calendar_date(0, Month::January, 1) {
    Ok(date) => date,
    Err(_) => unreachable!(),
};

impl Date {
    /// Returns the date that many days later, or earlier if `days` is negative.
    ///
    /// Stops at the ends of the calendar instead of failing. No rule of lending reaches them.
    pub fn plus_days(self, days: i32) -> Self {
        self.0.saturating_add(Duration::days(days.into())).into()
    }
}

impl From<time::Date> for Date {
    /// Converts a date. Dates before the year 0 become the first day of that year.
    fn from(date: time::Date) -> Self {
        Self(date.max(FIRST_DATE))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.0.to_calendar_date();
        write!(f, "{year:04}-{:02}-{day:02}", u8::from(month))
    }
}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
            return Err(InvalidDate);
        };
        let month = Month::try_from(u8::try_from(number(&[m1, m2])?).map_err(|_| InvalidDate)?)
            .map_err(|_| InvalidDate)?;
        let day = u8::try_from(number(&[d1, d2])?).map_err(|_| InvalidDate)?;
        let year = i32::from(number(&[y1, y2, y3, y4])?);
        match time::Date::from_calendar_date(year, month, day) {
            Ok(date) if date >= FIRST_DATE => Ok(Self(date)),
            _ => Err(InvalidDate),
        }
    }
}

/// Parses up to four decimal digits. Unlike Rust's own parsers, it accepts no sign and no blank.
fn number(digits: &[u8]) -> Result<u16, InvalidDate> {
    digits.iter().try_fold(0, |value, digit| match digit {
        b'0'..=b'9' => Ok(value * 10 + u16::from(digit - b'0')),
        _ => Err(InvalidDate),
    })
}

impl fmt::Display for InvalidDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a calendar date written YYYY-MM-DD")
    }
}

impl std::error::Error for InvalidDate {}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // A borrowed `&str` would reject a date written with escapes.
        let text = Cow::<'_, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Date {
    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A date of the Gregorian calendar, written `YYYY-MM-DD`.\n\n\
                The day must exist: `2025-02-29` is refused.",
            "type": "string",
            "format": "date",
            "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
        })
    }
}
