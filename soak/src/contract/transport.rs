//! Answers as HTTP: statuses, header fields, order and number.

use super::envelope::{self, Outcome, Version, is_refusal};
use super::{Breach, code, json};
use crate::http::Answer;

/// The answer of POST to one call that has this id.
pub(crate) fn single(
    answer: &Answer,
    version: Version,
    id: Option<&str>,
) -> Result<Outcome, Breach> {
    let outcome = envelope::read(version, body(answer)?, id)?;
    let status = match (&outcome, version) {
        _ if is_refusal(&outcome) => 401,
        (Outcome::Error(_), Version::V1_1) => 500,
        _ => 200,
    };
    expect_status(answer, status)?;
    if status == 401 {
        challenges(answer)?;
    }
    no_store(answer)?;
    Ok(outcome)
}

/// The answer of POST to a batch whose answered entries have these ids, in their order.
pub(crate) fn batch(answer: &Answer, ids: &[String]) -> Result<Vec<Outcome>, Breach> {
    expect_status(answer, 200)?;
    no_store(answer)?;
    let answers = json::elements(body(answer)?)?;
    if answers.len() != ids.len() {
        let (found, expected) = (answers.len(), ids.len());
        return Err(Breach::new(format_args!(
            "{found} answers to {expected} requests"
        )));
    }
    let both = answers.iter().zip(ids);
    both.map(|(text, id)| envelope::read(Version::V2_0, text, Some(id)))
        .collect()
}

/// The answer where there is nothing to say.
pub(crate) fn no_answer(answer: &Answer) -> Result<(), Breach> {
    expect_status(answer, 204)
}

/// An exchange that never became a call, or a call that was wrong.
pub(crate) fn refused(answer: &Answer, status: u16, code: i64, id: &str) -> Result<(), Breach> {
    expect_status(answer, status)?;
    no_store(answer)?;
    let outcome = envelope::read(Version::V2_0, body(answer)?, Some(id))?;
    is(&outcome, &Outcome::Error(code))?;
    let needed: &[&str] = match status {
        401 => return challenges(answer),
        405 => &["allow"],
        415 => &["accept-post", "accept-encoding"],
        503 => &["retry-after"],
        _ => return Ok(()),
    };
    if needed.iter().all(|name| answer.header(name).is_none()) {
        return Err(Breach::new(format_args!("{status} without {needed:?}")));
    }
    Ok(())
}

/// The answer of a service that has too much to do, or is leaving.
pub(crate) fn busy(answer: &Answer) -> Result<(), Breach> {
    refused(answer, 503, code::BUSY, "null")
}

/// An answer to what no call can have become of: HTTP's own refusal, or the service's.
pub(crate) fn not_done(answer: &Answer) -> Result<(), Breach> {
    if (400..=599).contains(&answer.status) {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "not refused, but {}",
            answer.status
        )))
    }
}

/// Whether a call came to what it had to.
pub(crate) fn is(found: &Outcome, expected: &Outcome) -> Result<(), Breach> {
    if found == expected {
        Ok(())
    } else {
        Err(Breach::new(format_args!("{found:?}, and not {expected:?}")))
    }
}

pub(super) fn expect_status(answer: &Answer, status: u16) -> Result<(), Breach> {
    if answer.status == status {
        return Ok(());
    }
    let found = answer.status;
    Err(Breach::new(format_args!(
        "status {found}, and not {status}"
    )))
}

pub(super) fn expect(answer: &Answer, name: &str, value: &str) -> Result<(), Breach> {
    if answer.header(name) == Some(value) {
        return Ok(());
    }
    let found = answer.header(name);
    Err(Breach::new(format_args!(
        "{name} is {found:?}, and not {value:?}"
    )))
}

pub(super) fn body(answer: &Answer) -> Result<&str, Breach> {
    expect(answer, "content-type", "application/json")?;
    expect(answer, "x-content-type-options", "nosniff")?;
    str::from_utf8(&answer.body).map_err(Breach::new)
}

pub(super) fn no_store(answer: &Answer) -> Result<(), Breach> {
    expect(answer, "cache-control", "no-store")
}

fn challenges(answer: &Answer) -> Result<(), Breach> {
    let challenge = answer.header("www-authenticate").unwrap_or_default();
    if challenge.starts_with("Bearer ") {
        Ok(())
    } else {
        Err(Breach::new(format_args!(
            "401 with the challenge {challenge:?}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// An answer as the service gives it.
    fn answer(status: u16, more: &[(&str, &str)], body: &str) -> Answer {
        let mut headers = vec![
            ("content-type", "application/json"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
        ];
        headers.extend_from_slice(more);
        let headers = headers.into_iter();
        Answer {
            status,
            headers: headers.map(|(n, v)| (n.to_owned(), v.to_owned())).collect(),
            body: body.into(),
        }
    }

    const RESULT: &str = r#"{"jsonrpc":"2.0","result":7,"id":"a"}"#;
    const BUSY: &str = r#"{"jsonrpc":"2.0","error":{"code":-32002,"message":"Busy"},"id":null}"#;
    const DENIED: &str = r#"{"jsonrpc":"2.0","error":{"code":-32007,"message":"Refused"},"id":1}"#;

    #[test]
    fn one_answer_has_its_id_its_status_and_its_header_fields() {
        let judge = |answer: &Answer| single(answer, Version::V2_0, Some(r#""a""#));
        let right = answer(200, &[], RESULT);
        assert_eq!(judge(&right), Ok(Outcome::Result(json!(7))));
        assert!(single(&right, Version::V2_0, Some(r#""\u0061""#)).is_err());
        assert!(judge(&answer(500, &[], RESULT)).is_err());
        for missing in 0..right.headers.len() {
            let mut wrong = right.clone();
            wrong.headers.remove(missing);
            assert!(judge(&wrong).is_err(), "{:?}", wrong.headers);
        }
    }

    #[test]
    fn a_guard_refuses_with_its_status_and_its_challenge() {
        let challenge = ("www-authenticate", "Bearer realm=\"library\"");
        let judge = |answer: &Answer| single(answer, Version::V2_0, Some("1"));
        let right = answer(401, &[challenge], DENIED);
        assert_eq!(judge(&right), Ok(Outcome::Error(code::REFUSED)));
        assert_eq!(refused(&right, 401, code::REFUSED, "1"), Ok(()));
        assert!(judge(&answer(401, &[], DENIED)).is_err());
        assert!(judge(&answer(200, &[challenge], DENIED)).is_err());
    }

    #[test]
    fn a_batch_is_answered_in_order_and_completely() {
        let text = |ids: &[&str]| {
            let answers = ids.iter();
            let answers = answers.map(|id| format!(r#"{{"jsonrpc":"2.0","result":1,"id":{id}}}"#));
            answer(
                200,
                &[],
                &format!("[{}]", answers.collect::<Vec<_>>().join(",")),
            )
        };
        let ids = ["1", "1.0", "null"].map(str::to_owned);
        assert_eq!(
            batch(&text(&["1", "1.0", "null"]), &ids).map(|it| it.len()),
            Ok(3)
        );
        for wrong in [
            &["1.0", "1", "null"][..],
            &["1", "1.0"],
            &["1", "1.0", "null", "null"],
            &[],
        ] {
            assert!(batch(&text(wrong), &ids).is_err(), "{wrong:?}");
        }
        assert!(batch(&answer(200, &[], RESULT), &ids).is_err());
    }

    #[test]
    fn a_refusal_has_its_status_its_code_and_what_it_owes_its_caller() {
        assert!(busy(&answer(503, &[("retry-after", "1")], BUSY)).is_ok());
        assert!(busy(&answer(503, &[], BUSY)).is_err());
        assert!(busy(&answer(200, &[("retry-after", "1")], BUSY)).is_err());
        assert!(busy(&answer(503, &[("retry-after", "1")], RESULT)).is_err());
        let invalid =
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null}"#;
        let judge = |answer: &Answer| refused(answer, 415, code::INVALID_REQUEST, "null");
        assert!(
            judge(&answer(
                415,
                &[("accept-post", "application/json")],
                invalid
            ))
            .is_ok()
        );
        assert!(judge(&answer(415, &[], invalid)).is_err());
        assert!(no_answer(&answer(204, &[], "")).is_ok());
        assert!(no_answer(&answer(200, &[], "")).is_err());
        assert!(not_done(&answer(400, &[], "")).is_ok());
        assert!(not_done(&answer(200, &[], RESULT)).is_err());
    }
}
