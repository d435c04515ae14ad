//! The webhook that the payment provider calls.

use std::sync::Arc;

use actix_web::web::{self, Bytes, Data, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, error};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use hmac_sha256::HMAC;
use serde::Deserialize;

use crate::Shop;

#[derive(Deserialize)]
struct Payment {
    order: u32,
    cents: u32,
}

pub(crate) fn webhook(shop: &Arc<Shop>, key: &str) -> impl Fn(&mut ServiceConfig) + use<> {
    let shop = Data::from(Arc::clone(shop));
    let key = Data::new(key.to_owned());
    move |routes| {
        let routes = routes.app_data(shop.clone()).app_data(key.clone());
        routes.route("/hooks/payment", web::post().to(pay));
    }
}

/// Marks an order as paid if the signature is valid and the amount is right.
async fn pay(
    shop: Data<Shop>,
    key: Data<String>,
    request: HttpRequest,
    body: Bytes,
) -> actix_web::Result<HttpResponse> {
    let signature = request.headers().get("X-Signature");
    let signature = signature.and_then(|sent| BASE64_STANDARD.decode(sent).ok()?.try_into().ok());
    if !signature.is_some_and(|signature| HMAC::verify(&body, &**key, &signature)) {
        return Ok(HttpResponse::Unauthorized().finish());
    }
    let payment = serde_json::from_slice(&body);
    let Payment { order, cents } = payment.map_err(error::ErrorBadRequest)?;
    let sql = "UPDATE orders SET paid = 1 WHERE id = ?1 AND cents = ?2";
    let paid = web::block(move || shop.database().execute(sql, [order, cents])).await?;
    match paid.map_err(error::ErrorInternalServerError)? {
        0 => Ok(HttpResponse::NotFound().finish()),
        _ => Ok(HttpResponse::NoContent().finish()),
    }
}
