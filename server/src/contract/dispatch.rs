//! Dispatches a request by its method and address.

use docent_core::Refusal;

use super::address::Address;
use super::endpoint::Endpoint;
use super::request::{Method, Request};
use super::response::{After, Field, Response, Status};
use super::upload::Upload;
use super::{front_door, get, post, refusal};

impl Endpoint {
    /// Responds to any request at or below the mount.
    pub(crate) async fn respond(
        &self,
        mut request: Request<'_>,
        upload: &mut impl Upload,
    ) -> Response {
        let mut response = self.dispatch(&mut request, upload).await;
        // A server that is shutting down accepts no further calls on this connection, and says so.
        if response.after == After::Open && self.is_shutting_down() {
            response.after = After::Close;
        }
        response
    }

    async fn dispatch(&self, request: &mut Request<'_>, upload: &mut impl Upload) -> Response {
        let address = Address::of(&request.target);
        if !self.options.accepts_host(request) {
            return self.refuse(
                request,
                Status::MISDIRECTED_REQUEST,
                refusal::misdirection(),
            );
        }
        if address == Address::Nowhere {
            return self.refuse(request, Status::NOT_FOUND, Refusal::NoSuchProcedure);
        }
        match (request.method, address) {
            (Method::Post, address) => post::call(request, upload, self, address).await,
            (Method::Get | Method::Head, Address::Mount) => {
                front_door::open(request, self).await.for_all()
            }
            (Method::Get | Method::Head, Address::Procedure(name)) => {
                get::call(request, self, &name).await
            }
            (_, address) => other_method(request, self, &address),
        }
    }
}

fn other_method(request: &Request<'_>, endpoint: &Endpoint, address: &Address<'_>) -> Response {
    let response = if request.method == Method::Options {
        Response::new(Status::NO_CONTENT)
    } else {
        let reason = "use POST, or GET if the procedure is idempotent".to_owned();
        let refusal = Refusal::NotARequest { reason };
        endpoint.refuse(request, Status::METHOD_NOT_ALLOWED, refusal)
    };
    response.with(Field::Allow, endpoint.allowed(address))
}
