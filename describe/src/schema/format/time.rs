//! Dates, times and durations (RFC 3339, section 5.6 and appendix A).
//!
//! The patterns match leap seconds only in UTC, because those with an offset need arithmetic (section 5.7).

use std::sync::LazyLock;

use super::grammar::Grammar;

/// The minutes of a day.
const MINUTES_OF_DAY: i32 = 24 * 60;

/// The hour and the minute of a day, or of an offset.
const HOUR_AND_MINUTE: &str = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

/// A fraction of a second and the offset from UTC.
const FRACTION_AND_OFFSET: &str = r"(?:\.[0-9]+)?(?:[Zz]|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])";

/// A leap second in UTC, the last second of a day.
const LEAP_SECOND: &str = r"23:59:60(?:\.[0-9]+)?[Zz]";

/// A day of the calendar: months with 31, 30 and 28 days, and 29 February in leap years.
const CALENDAR_DAY: &str = concat!(
    "(?:[0-9]{4}-(?:",
    "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
);

/// The grammar of a `full-time`, to which a leap second is compared as the second before it.
static TIME_GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::new(time()));

/// Returns the pattern of a `full-date`.
pub(super) fn date() -> String {
    format!("^{CALENDAR_DAY}$")
}

/// Returns the pattern of a `full-time`.
pub(super) fn time() -> String {
    format!("^(?:{HOUR_AND_MINUTE}:[0-5][0-9]{FRACTION_AND_OFFSET}|{LEAP_SECOND})$")
}

/// Returns the pattern of a `full-time` with a second 60 in any minute.
pub(super) fn any_time() -> String {
    format!("^{HOUR_AND_MINUTE}:(?:[0-5][0-9]|60){FRACTION_AND_OFFSET}$")
}

/// Returns the pattern of a `date-time`.
pub(super) fn date_time() -> String {
    format!(
        "^(?:{CALENDAR_DAY}[Tt]{HOUR_AND_MINUTE}:[0-5][0-9]{FRACTION_AND_OFFSET}|[0-9]{{4}}-(?:06-30|12-31)[Tt]{LEAP_SECOND})$"
    )
}

/// Returns the pattern of a `date-time` with a second 60 in any minute.
pub(super) fn any_date_time() -> String {
    format!("^{CALENDAR_DAY}[Tt]{HOUR_AND_MINUTE}:(?:[0-5][0-9]|60){FRACTION_AND_OFFSET}$")
}

/// Returns the pattern of a `duration`.
pub(super) fn duration() -> String {
    let date = "(?:[0-9]+Y(?:[0-9]+M)?(?:[0-9]+D)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)";
    // Hours, minutes and seconds, at least one of them.
    let time = "T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+S)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
    format!("^P(?:[0-9]+W|{date}(?:{time})?|{time})$")
}

/// Returns the pattern of the generator's formats for a time of day, alone or with a date, without
/// an offset. Both chrono and jiff can read it: both accept a leap second, and jiff reads at most
/// nine digits of a second.
pub(in crate::schema) fn pattern_without_offset(format: &str) -> Option<String> {
    let date = match format {
        "partial-time" => String::new(),
        "partial-date-time" => format!("{CALENDAR_DAY}T"),
        _ => return None,
    };
    Some(format!(
        r"^{date}{HOUR_AND_MINUTE}:(?:[0-5][0-9]|60)(?:\.[0-9]{{1,9}})?$"
    ))
}

/// Returns whether a text is a `full-time` with a leap second: the last second of a day in UTC.
pub(super) fn is_leap_time(text: &str) -> bool {
    leap_second(text).is_some()
}

/// Returns whether a text is a `date-time` with a leap second: the last of June or December in UTC.
pub(super) fn is_leap_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_at_checked(11) else {
        return false;
    };
    let ends = match leap_second(time) {
        Some(0) => ["-06-30", "-12-31"],
        Some(1..) => ["-06-29", "-12-30"],
        Some(_) => ["-07-01", "-01-01"],
        None => return false,
    };
    let day = date.strip_suffix(['T', 't']);
    ends.iter()
        .filter_map(|end| day?.strip_suffix(end))
        .any(|year| year.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns the number of days by which UTC is ahead of the local day, if a time is the last second of a day in
/// UTC, and a leap second.
fn leap_second(time: &str) -> Option<i32> {
    let (start, rest) = time.split_at_checked(5)?;
    let usual = format!("{start}:59{}", rest.strip_prefix(":60")?);
    if !TIME_GRAMMAR.admits(&usual) {
        return None;
    }
    let minute_in_utc = minutes(start)? + offset_after('-', time)? - offset_after('+', time)?;
    if minute_in_utc.rem_euclid(MINUTES_OF_DAY) == MINUTES_OF_DAY - 1 {
        Some(minute_in_utc.div_euclid(MINUTES_OF_DAY))
    } else {
        None
    }
}

/// Returns the minutes of an offset that begins with this sign, or 0 if the time has none.
fn offset_after(sign: char, time: &str) -> Option<i32> {
    match time.split_once(sign) {
        Some((_, clock)) => minutes(clock),
        None => Some(0),
    }
}

/// Returns the minutes since midnight, for a text that begins with hours and minutes.
fn minutes(clock: &str) -> Option<i32> {
    let (hours, rest) = clock.split_at_checked(2)?;
    let hours: i32 = hours.parse().ok()?;
    let minutes: i32 = rest.get(1..3)?.parse().ok()?;
    Some(hours * 60 + minutes)
}
