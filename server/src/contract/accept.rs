//! What a reader would rather have: a page or data.

use actix_web::HttpRequest;
use actix_web::http::header::{Accept, Header, Quality, QualityItem};
use actix_web::mime;

/// Whether `Accept` prefers HTML to JSON. A reader that takes anything gets data: it is the one
/// that browsers name and programs do not.
pub(super) fn prefers_html(request: &HttpRequest) -> bool {
    let Ok(Accept(ranges)) = Accept::parse(request) else {
        return false;
    };
    quality(&ranges, "text", "html", true) > quality(&ranges, "application", "json", false)
}

/// The quality of a type by the most specific range that covers it (RFC 9110, section 12.5.1).
/// HTML has to be named: a range that covers everything does not ask for it.
fn quality(ranges: &[QualityItem<mime::Mime>], kind: &str, subtype: &str, named: bool) -> Quality {
    let mut best = (0, Quality::ZERO);
    for range in ranges {
        let specific = match (range.item.type_().as_str(), range.item.subtype().as_str()) {
            (a, b) if a == kind && b == subtype => 3,
            (a, "*") if a == kind => 2,
            ("*", "*") if !named => 1,
            _ => continue,
        };
        if specific > best.0 {
            best = (specific, range.quality);
        }
    }
    best.1
}
