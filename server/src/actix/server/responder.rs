//! The service that actix-http calls with each request of a connection.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_http::body::{BodySize, MessageBody as _};
use actix_http::header::CONTENT_LENGTH;
use actix_http::{ConnectionType, Request, Response};
use actix_service::boxed::BoxFuture;
use actix_service::{Service, ServiceFactory, always_ready};

use super::routes::Routes;
use crate::actix::body::{Afterwards, Followed};
use crate::actix::turn::{Direct, Outstanding, Turn};
use crate::actix::upload::Rest;

/// Responds to requests with the services and pages of a worker.
#[derive(Clone)]
pub(super) struct Responder(Rc<Routes>);

impl Responder {
    pub(super) fn new(routes: Routes) -> Self {
        Self(Rc::new(routes))
    }
}

/// A type of its own, with a short name: actix-http repeats it in those of its functions.
impl ServiceFactory<Request> for Responder {
    type Response = Response<Followed<Ending>>;
    type Error = Infallible;
    type Config = ();
    type Service = Self;
    type InitError = ();
    type Future = Ready<Result<Self, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        ready(Ok(self.clone()))
    }
}

impl Service<Request> for Responder {
    type Response = Response<Followed<Ending>>;
    type Error = Infallible;
    type Future = BoxFuture<Result<Self::Response, Infallible>>;

    always_ready!();

    fn call(&self, request: Request) -> Self::Future {
        let outstanding = outstanding(&request);
        // Boxed, so that idle connections do not reserve memory for it.
        Box::pin(respond(Rc::clone(&self.0), request, outstanding))
    }
}

/// Tells a connection that its service has been called.
fn outstanding(request: &Request) -> Outstanding {
    // Every connection gets its turn when it is accepted.
    let turn = request.conn_data::<Rc<Turn>>().cloned();
    turn.unwrap_or_default().call()
}

/// The work that remains after the body of a response.
pub(super) struct Ending {
    /// Sends a body that bypasses actix-http.
    direct: Option<Box<Direct>>,
    /// Reads the rest of the request.
    rest: Option<Box<Rest>>,
    outstanding: Outstanding,
}

impl Afterwards for Ending {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        ready!(self.direct.poll(cx));
        ready!(self.rest.poll(cx));
        self.outstanding.poll(cx)
    }
}

/// Responds to a request, and tells its connection when the response has ended.
async fn respond(
    routes: Rc<Routes>,
    mut request: Request,
    outstanding: Outstanding,
) -> Result<Response<Followed<Ending>>, Infallible> {
    let payload = request.take_payload();
    let responding = routes.respond(request.head(), outstanding.turn(), payload);
    let (mut response, rest) = responding.await;
    if rest.is_some() {
        let head = response.head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    outstanding.until_end_of(response.body().size());
    Ok(response.map_body(|head, mut body| {
        let size = body.size();
        let direct = body.take_shared().map(|shared| {
            if let BodySize::Sized(length) = size {
                head.no_chunking(true);
                head.headers.insert(CONTENT_LENGTH, length.into());
            }
            Box::new(Direct::new(shared, outstanding.turn()))
        });
        let ending = Ending {
            direct,
            rest: rest.map(Box::new),
            outstanding,
        };
        Followed::new(body, ending)
    }))
}
