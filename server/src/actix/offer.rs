//! Offers to go on in another protocol (`Connection: Upgrade`), none of which is taken up.
//!
//! actix-web takes an offer for a decision: it answers `Connection: upgrade`, closes the connection
//! behind the answer without a word, and loses what the caller sends on it. `Server` takes offers out
//! of a request before actix-web sees them; an `App` of somebody's own has no such place.

use actix_web::http::ConnectionType;
use actix_web::{HttpRequest, HttpResponse};

/// Whether actix-web takes a request for the last one in HTTP.
pub(crate) fn is_made(request: &HttpRequest) -> bool {
    request.head().connection_type() == ConnectionType::Upgrade
}

/// The same answer, which says that its connection closes behind it where that is what happens.
pub(crate) fn closing(closes: bool, mut response: HttpResponse) -> HttpResponse {
    if closes {
        response
            .head_mut()
            .set_connection_type(ConnectionType::Close);
    }
    response
}
