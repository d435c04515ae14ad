//! Dates and times (RFC 3339, section 5.6) and durations (its appendix A).

/// Returns whether a text is a `full-date`.
pub(super) fn is_date(text: &str) -> bool {
    date(text).is_some()
}

/// Returns whether a text is a `full-time`. A leap second is the last second of a day in UTC.
pub(super) fn is_time(text: &str) -> bool {
    time(text).is_some_and(|time| !time.is_leap || time.minute_in_utc().rem_euclid(DAY) == DAY - 1)
}

/// Returns whether a text is a `date-time`. Leap seconds are the last of June or December in UTC
/// (section 5.7).
pub(super) fn is_date_time(text: &str) -> bool {
    // The grammar is ASCII, so a text that cannot be split here is invalid anyway.
    let (Some(first), Some(rest)) = (text.get(..10), text.get(10..)) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix(['T', 't']) else {
        return false;
    };
    let (Some(date), Some(time)) = (date(first), time(rest)) else {
        return false;
    };
    if !time.is_leap {
        return true;
    }
    let minute = time.minute_in_utc();
    let last = matches!(date.shifted(minute.div_euclid(DAY)), (6, 30) | (12, 31));
    last && minute.rem_euclid(DAY) == DAY - 1
}

/// The number of minutes in a day.
const DAY: i32 = 24 * 60;

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl Date {
    fn days_in(&self, month: u32) -> u32 {
        let is_leap = self.year.is_multiple_of(4)
            && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// Returns the month and the day of the same day, the day before or the day after.
    fn shifted(&self, days: i32) -> (u32, u32) {
        match days {
            0 => (self.month, self.day),
            1.. if self.day == self.days_in(self.month) => (self.month % 12 + 1, 1),
            1.. => (self.month, self.day + 1),
            _ if self.day > 1 => (self.month, self.day - 1),
            _ => {
                let month = (self.month + 10) % 12 + 1;
                (month, self.days_in(month))
            }
        }
    }
}

fn date(text: &str) -> Option<Date> {
    let [year @ .., b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
        return None;
    };
    let date = Date {
        year: digits(year).filter(|_| year.len() == 4)?,
        month: digits(&[*m1, *m2])?,
        day: digits(&[*d1, *d2])?,
    };
    let is_month = (1..=12).contains(&date.month);
    (is_month && (1..=date.days_in(date.month)).contains(&date.day)).then_some(date)
}

struct Time {
    hour: u32,
    minute: u32,
    is_leap: bool,
    /// The offset in minutes.
    offset: i32,
}

impl Time {
    /// Returns the minute of the day in UTC, which may be another day.
    fn minute_in_utc(&self) -> i32 {
        // At most 23 hours and 59 minutes.
        let local = i32::try_from(self.hour * 60 + self.minute).unwrap_or_default();
        local - self.offset
    }
}

fn time(text: &str) -> Option<Time> {
    let [h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = text.as_bytes() else {
        return None;
    };
    let rest = match rest {
        [b'.', fraction @ ..] => {
            let length = count_digits(fraction);
            (length > 0).then(|| &fraction[length..])?
        }
        rest => rest,
    };
    let offset = match rest {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let minutes = hour_and_minute(&[*h1, *h2], &[*m1, *m2])?;
            let minutes = i32::try_from(minutes.0 * 60 + minutes.1).ok()?;
            if *sign == b'-' { -minutes } else { minutes }
        }
        _ => return None,
    };
    let (hour, minute) = hour_and_minute(&[*h1, *h2], &[*m1, *m2])?;
    let second = digits(&[*s1, *s2]).filter(|second| *second <= 60)?;
    Some(Time {
        hour,
        minute,
        is_leap: second == 60,
        offset,
    })
}

fn hour_and_minute(hour: &[u8], minute: &[u8]) -> Option<(u32, u32)> {
    let hour = digits(hour).filter(|hour| *hour < 24)?;
    let minute = digits(minute).filter(|minute| *minute < 60)?;
    Some((hour, minute))
}

/// Returns the value of a few digits.
fn digits(bytes: &[u8]) -> Option<u32> {
    bytes.iter().try_fold(0, |value, byte| {
        byte.is_ascii_digit()
            .then(|| value * 10 + u32::from(byte - b'0'))
    })
}

fn count_digits(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

/// Returns whether a text is an ISO 8601 duration. The grammar in RFC 3339 has no `PT1H30S`, in
/// which a unit between two others is missing. Libraries write it and validators accept it, so it
/// is accepted here.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else {
        return false;
    };
    if let Some(weeks) = rest.strip_suffix('W') {
        return !weeks.is_empty() && count_digits(weeks.as_bytes()) == weeks.len();
    }
    match rest.split_once('T') {
        Some((date, time)) => {
            (date.is_empty() || are_units(date, b"YMD")) && are_units(time, b"HMS")
        }
        None => are_units(rest, b"YMD"),
    }
}

/// Returns whether a text is one or more numbers, each with a unit, in the order of the units.
fn are_units(text: &str, mut units: &[u8]) -> bool {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let length = count_digits(rest);
        let Some(unit) = rest.get(length).filter(|_| length > 0) else {
            return false;
        };
        let Some(at) = units.iter().position(|known| known == unit) else {
            return false;
        };
        units = &units[at + 1..];
        rest = &rest[length + 1..];
    }
    !text.is_empty()
}
