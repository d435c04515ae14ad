//! Dates and times without an offset, for which schemars has formats of its own.

use docent_core::{Cx, Fault, Procedure};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::{Value, json};

use crate::builder;

/// A date-time without an offset, parsed as strictly as chrono and jiff do.
#[derive(Serialize, JsonSchema)]
struct Moment(#[schemars(extend("format" = "partial-date-time"))] String);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.split_once('T') {
            Some((day, time)) if is_day(day) && is_time(time) => Ok(Self(text)),
            _ => Err(D::Error::custom("no moment")),
        }
    }
}

#[derive(Serialize, JsonSchema)]
struct TimeOfDay(#[schemars(extend("format" = "partial-time"))] String);

impl<'de> Deserialize<'de> for TimeOfDay {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if is_time(&text) {
            Ok(Self(text))
        } else {
            Err(D::Error::custom("no time"))
        }
    }
}

/// Parses two or four digits.
fn number(digits: &str, width: usize) -> Option<u32> {
    if digits.len() != width || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=length).contains(&day)
}

fn is_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<Option<u32>> = clock.split(':').map(|part| number(part, 2)).collect();
    matches!(parts[..], [Some(0..=23), Some(0..=59), Some(0..=60)])
        && (1..=9).any(|width| number(fraction, width).is_some())
}

#[tokio::test]
async fn a_moment_without_an_offset_is_on_a_day_that_the_calendar_has() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Times {
        at: Moment,
        #[serde(default)]
        times: Vec<TimeOfDay>,
    }
    let echo = Procedure::sync("echo", |_: Cx, p: Times| Ok::<_, Fault>(p));
    let service = builder()
        .procedure(echo)
        .build()
        .unwrap_or_else(|error| panic!("{error}"));
    let ask = async |params: Value, valid: bool| {
        let response = service.call::<Value>("echo", &params).await;
        assert_eq!(response.is_ok(), valid, "{params}: {response:?}");
        // The schema rejects it before serde sees it.
        if let Err(error) = response {
            let text = error.to_string();
            assert!(!text.contains("no moment") && !text.contains("no time"));
        }
    };
    for year in [
        "0000", "0004", "0100", "1900", "2000", "2023", "2024", "2026", "9996", "9999",
    ] {
        for month in 0..=13 {
            for day in [0, 1, 9, 10, 19, 20, 28, 29, 30, 31, 32] {
                let day = format!("{year}-{month:02}-{day:02}");
                let valid = is_day(&day);
                ask(json!({"at": format!("{day}T12:00:00")}), valid).await;
            }
        }
    }
    for (time, valid) in [
        ("00:00:00", true),
        ("23:59:59.999999999", true),
        ("23:59:60", true),
        ("12:00:60.5", true),
        ("24:00:00", false),
        ("12:60:00", false),
        ("12:00:61", false),
        ("12:00:00.", false),
        ("12:00:00.1234567891", false),
        ("12:00", false),
        ("12:00:00Z", false),
        ("", false),
    ] {
        ask(json!({"at": format!("2024-02-29T{time}")}), valid).await;
        ask(json!({"at": "2024-02-29T00:00:00", "times": [time]}), valid).await;
    }
    for at in [
        "2023-02-29T00:00:00",
        "2026-11-31T21:11:59",
        "2026-1-31T00:00:00",
        "2026-01-31",
        "2026-01-31 00:00:00",
        "+2026-01-31T00:00:00",
    ] {
        ask(json!({ "at": at }), false).await;
    }
}
