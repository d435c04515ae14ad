//! Who is calling: staff with a token, or a customer with a key.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::web;
use docent::{ApiKey, Authenticator, Bearer, Fault, Identity, ResultExt, either};
use hmac_sha256::Hash;
use rusqlite::OptionalExtension as _;

use crate::Shop;

/// A customer, or staff.
pub(crate) struct User {
    pub(crate) customer: Option<u32>,
}

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        self.customer
            .map_or("staff".into(), |id| id.to_string().into())
    }

    fn has_scope(&self, scope: &str) -> bool {
        scope == self.customer.map_or("staff", |_| "customer")
    }
}

pub(crate) fn authenticator(shop: &Arc<Shop>, staff_token: &str) -> impl Authenticator + use<> {
    let hash = Hash::hash(staff_token.as_bytes());
    let staff = Bearer::sync("printshop", move |token: String| {
        Hash::verify(token, &hash).then_some(User { customer: None })
    });
    let shop = Arc::clone(shop);
    let customers = ApiKey::new("X-Api-Key", move |key| {
        find_customer(Arc::clone(&shop), key)
    });
    either(staff, customers)
}

/// Looks a customer up by the hash of the key.
async fn find_customer(shop: Arc<Shop>, key: String) -> Result<Option<User>, Fault> {
    let sql = "SELECT id FROM customers WHERE key_hash = ?1";
    let hash = Hash::hash(key.as_bytes());
    let query = move || shop.database().query_row(sql, [hash], |row| row.get(0));
    let customer = web::block(query).await.internal()?.optional().internal()?;
    Ok(customer.map(|id| User { customer: Some(id) }))
}
