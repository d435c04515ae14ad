//! Reads lists with quality values (RFC 9110, section 12.4.2).
//!
//! `Accept` and `Accept-Encoding` have the same grammar. Malformed items are skipped: a client with
//! one odd item should get a response all the same.

use crate::headers::Headers;

/// A quality value in thousandths.
pub(crate) type Quality = u16;

/// Returns the items of a list with their quality values, without other parameters. Malformed items
/// are skipped.
pub(crate) fn weighed<'h>(
    headers: &'h Headers,
    name: &str,
) -> impl Iterator<Item = (&'h str, Quality)> {
    headers
        .texts(name)
        .flat_map(|list| list.split(','))
        .filter_map(weighed_item)
}

fn weighed_item(item: &str) -> Option<(&str, Quality)> {
    let mut parts = item.split(';').map(str::trim);
    let name = parts.next().filter(|name| !name.is_empty())?;
    for part in parts {
        if let Some((parameter, value)) = part.split_once('=')
            && parameter.trim().eq_ignore_ascii_case("q")
        {
            return Some((name, parse_quality(value.trim())?));
        }
    }
    Some((name, 1_000))
}

/// Parses a quality value: `0`, `0.5`, `1.000`.
fn parse_quality(text: &str) -> Option<Quality> {
    let (integer, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = decimals.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || decimals.len() > 3 {
        return None;
    }
    let decimals: Quality = format!("{decimals:0<3}").parse().ok()?;
    match (integer, decimals) {
        ("0", decimals) => Some(decimals),
        ("1", 0) => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_their_quality_values_and_malformed_ones_are_skipped() {
        let headers = Headers::from_iter([
            (
                "Accept",
                "text/html;level=1;Q=0.5, */*; q=0.05,a;q=2,b;q=x,,c;q=1.001,d;q=0.1234",
            ),
            ("accept", "e ; q=1.000,f;q=0,g;q=0."),
        ]);
        let weighed: Vec<_> = weighed(&headers, "accept").collect();
        let expected = [
            ("text/html", 500),
            ("*/*", 50),
            ("e", 1_000),
            ("f", 0),
            ("g", 0),
        ];
        assert_eq!(weighed, expected);
    }
}
