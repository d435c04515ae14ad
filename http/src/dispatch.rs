//! Dispatches a request by its method and address.
//!
//! This is the entrance of the contract: carriers call it for each request at a mount. What each
//! method means is in [`post`](crate::post), [`get`](crate::get) and
//! [`front_door`](crate::front_door).

use docent_core::carrier::RequestError;
use docent_core::code;
use http::{Method, StatusCode, header};

use crate::address::Address;
use crate::cors::RequestingPage;
use crate::endpoint::Endpoint;
use crate::request::Request;
use crate::response::{ConnectionState, Response};
use crate::upload::Upload;
#[cfg(feature = "websocket")]
use crate::websocket::handshake;
use crate::{front_door, get, post, request_error, status, upload};

impl Endpoint {
    /// Responds to any request at or below the mount.
    pub async fn respond(&self, mut request: Request<'_>, upload: &mut impl Upload) -> Response {
        let page = RequestingPage::new(&request, self);
        let mut response = self.dispatch(&mut request, &page, upload).await;
        page.open(&mut response);
        // A server that is shutting down accepts no further calls on this connection, and says so.
        if response.after == ConnectionState::Open && self.is_shutting_down() {
            response.after = ConnectionState::Close;
        }
        response
    }

    /// Checks the host and the address, and leaves the rest to the method.
    async fn dispatch(
        &self,
        request: &mut Request<'_>,
        page: &RequestingPage,
        upload: &mut impl Upload,
    ) -> Response {
        let address = Address::parse(&request.target);
        if !request.is_for_served_host(&self.options) {
            let error = request_error::misdirection();
            return self.fail(request, StatusCode::MISDIRECTED_REQUEST, error);
        }
        if let Some(mut response) = page.response(request, self, &address) {
            response.after = upload::skip(upload, &self.options).await;
            return response;
        }
        if address == Address::Nowhere {
            let status = status::of_protocol_error(code::METHOD_NOT_FOUND);
            let response = self.fail(request, status, RequestError::NoSuchProcedure);
            return front_door::show_the_way(request, response);
        }
        if request.method == Method::POST {
            return post::call(request, upload, self, address).await;
        }
        match address {
            // Boxed, so that calls do not carry it.
            #[cfg(feature = "websocket")]
            Address::Mount if handshake::is_asked(request, self) => {
                Box::pin(handshake::respond(request, self)).await
            }
            Address::Mount if request.is_read() => front_door::open(request, self).await.for_all(),
            Address::Procedure(name) if request.is_read() => get::call(request, self, &name).await,
            address => other_method(request, self, &address),
        }
    }
}

/// Responds to a method that is neither for calls nor for pages.
fn other_method(request: &Request<'_>, endpoint: &Endpoint, address: &Address<'_>) -> Response {
    let response = if request.method == Method::OPTIONS {
        Response::new(StatusCode::NO_CONTENT)
    } else {
        endpoint.fail(
            request,
            StatusCode::METHOD_NOT_ALLOWED,
            request_error::invalid_request("use POST, or GET if the procedure is idempotent"),
        )
    };
    response.with(header::ALLOW, endpoint.allowed(address))
}
