//! A print shop: customers order copies of their files, and collect what they have paid.

mod access;
mod orders;
mod payments;
mod shop;

use std::sync::Arc;

use docent::{BuildError, Routes, Server, Service};

pub use shop::Shop;

/// Builds the service. Staff call it with `token`.
pub fn service(shop: &Arc<Shop>, token: &str) -> Result<Service, BuildError> {
    Service::builder("printshop", "https://example.com/printshop")
        .version("1.0")
        .documentation(include_str!("printshop.md"))
        .limits(|limits| limits.max_body_bytes = 8 << 20)
        .authenticate(access::authenticator(shop, token))
        .procedures(shop.shared_procedures())
        .build()
}

/// Builds the server: the service, metrics, and the payment webhook.
pub fn server(shop: &Arc<Shop>, token: &str, payment_key: &str) -> Result<Server, BuildError> {
    let routes = Routes::new(service(shop, token)?).metrics();
    Ok(Server::new(routes).configure(payments::webhook(shop, payment_key)))
}
