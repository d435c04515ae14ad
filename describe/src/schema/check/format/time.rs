//! Times with leap seconds (RFC 3339, sections 5.6 and 5.7): with an offset from UTC, they need
//! arithmetic beside the grammar.

use super::grammar::follows;

/// Returns whether a text is a `full-time`. A leap second is the last second of a day in UTC.
pub(super) fn is_time(text: &str) -> bool {
    follows("time", text) || leap_second(text).is_some()
}

/// Returns whether a text is a `date-time`. Leap seconds are the last of June or December in UTC
/// (section 5.7).
pub(super) fn is_date_time(text: &str) -> bool {
    let is_leap_second = |(date, time): (&str, &str)| {
        let ends = match leap_second(time) {
            Some(0) => ["-06-30", "-12-31"],
            Some(1..) => ["-06-29", "-12-30"],
            Some(_) => ["-07-01", "-01-01"],
            None => return false,
        };
        // A day that follows the pattern is ASCII.
        follows("date-time", &format!("{date}00:00:00Z"))
            && ends.iter().any(|end| date[4..].starts_with(end))
    };
    follows("date-time", text) || text.split_at_checked(11).is_some_and(is_leap_second)
}

/// Returns how many days UTC is ahead of the local day, if a time is the last second of a day in
/// UTC, and a leap second.
fn leap_second(time: &str) -> Option<i32> {
    const DAY: i32 = 24 * 60;
    let (start, rest) = time.split_at_checked(5)?;
    let usual = format!("{start}:59{}", rest.strip_prefix(":60")?);
    if !follows("time", &usual) {
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
