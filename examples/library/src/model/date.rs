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
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a calendar date written YYYY-MM-DD")]
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
        let mut parts = text.split('-');
        let day = time::Date::from_calendar_date(
            number::<u16>(parts.next())?.into(),
            Month::try_from(number::<u8>(parts.next())?).map_err(|_| InvalidDate)?,
            number(parts.next())?,
        );
        let date = Self(day.map_err(|_| InvalidDate)?);
        if date.to_string() == text {
            Ok(date)
        } else {
            Err(InvalidDate)
        }
    }
}

fn number<T: FromStr>(part: Option<&str>) -> Result<T, InvalidDate> {
    let part = part.ok_or(InvalidDate)?;
    part.parse().map_err(|_| InvalidDate)
}

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
