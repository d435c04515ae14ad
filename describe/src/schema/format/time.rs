//! Dates, times and durations (RFC 3339, section 5.6 and appendix A).
//!
//! The patterns know leap seconds only in UTC: with an offset, they need arithmetic beside the grammar (section 5.7).

use std::sync::LazyLock;

use super::grammar::Grammar;

/// The hour and the minute of a day, or of an offset.
const MINUTE: &str = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";

/// A fraction of a second and the offset from UTC.
const ZONE: &str = r"(?:\.[0-9]+)?(?:[Zz]|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])";

/// A leap second in UTC, the last second of a day.
const LEAP: &str = r"23:59:60(?:\.[0-9]+)?[Zz]";

/// A day of the calendar: months with 31, 30 and 28 days, and 29 February in leap years.
const DAY: &str = concat!(
    "(?:[0-9]{4}-(?:",
    "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])",
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)",
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    "|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)"
);

static TIME: LazyLock<Grammar> = LazyLock::new(|| Grammar::new(time()));

/// Returns the pattern of a `full-date`.
pub(super) fn date() -> String {
    format!("^{DAY}$")
}

/// Returns the pattern of a `full-time`.
pub(super) fn time() -> String {
    format!("^(?:{MINUTE}:[0-5][0-9]{ZONE}|{LEAP})$")
}

/// Returns the pattern of a `full-time` with a second 60 in any minute.
pub(super) fn any_time() -> String {
    format!("^{MINUTE}:(?:[0-5][0-9]|60){ZONE}$")
}

/// Returns the pattern of a `date-time`.
pub(super) fn date_time() -> String {
    format!("^(?:{DAY}[Tt]{MINUTE}:[0-5][0-9]{ZONE}|[0-9]{{4}}-(?:06-30|12-31)[Tt]{LEAP})$")
}

/// Returns the pattern of a `date-time` with a second 60 in any minute.
pub(super) fn any_date_time() -> String {
    format!("^{DAY}[Tt]{MINUTE}:(?:[0-5][0-9]|60){ZONE}$")
}

/// Returns the pattern of a `duration`.
pub(super) fn duration() -> String {
    let date = "(?:[0-9]+Y(?:[0-9]+M)?(?:[0-9]+D)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)";
    // Hours, minutes and seconds, at least one of them.
    let time = "T(?:[0-9]+H(?:[0-9]+M)?(?:[0-9]+S)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
    format!("^P(?:[0-9]+W|{date}(?:{time})?|{time})$")
}

/// Returns the pattern of the generator's formats for a time of day, alone or with a date, without an offset. Both
/// chrono and jiff can read it: both accept a leap second, and jiff reads at most nine digits of a second.
pub(in crate::schema) fn partial(format: &str) -> Option<String> {
    let date = match format {
        "partial-time" => String::new(),
        "partial-date-time" => format!("{DAY}T"),
        _ => return None,
    };
    Some(format!(
        r"^{date}{MINUTE}:(?:[0-5][0-9]|60)(?:\.[0-9]{{1,9}})?$"
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

/// Returns how many days UTC is ahead of the local day, if a time is the last second of a day in
/// UTC, and a leap second.
fn leap_second(time: &str) -> Option<i32> {
    const DAY: i32 = 24 * 60;
    let (start, rest) = time.split_at_checked(5)?;
    let usual = format!("{start}:59{}", rest.strip_prefix(":60")?);
    if !TIME.admits(&usual) {
        return None;
    }
    let minutes = |clock: &str| {
        let (hours, minutes) = clock.split_at_checked(2)?;
        let minutes = minutes.get(1..3)?.parse::<i32>().ok()?;
        Some(hours.parse::<i32>().ok()? * 60 + minutes)
    };
    let offset = |sign| time.split_once(sign).map_or(Some(0), |(_, it)| minutes(it));
    let minute = minutes(start)? + offset('-')? - offset('+')?;
    (minute.rem_euclid(DAY) == DAY - 1).then_some(minute.div_euclid(DAY))
}
