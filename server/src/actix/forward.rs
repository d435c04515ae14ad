//! Values that middleware of an `App` sets, for the handlers of calls.

use actix_web::{HttpMessage as _, HttpRequest, dev};
use docent_core::Extensions;

/// Copies a value of one type from a request of actix-web to the extensions of a call.
type Forward = fn(&dev::Extensions, &mut Extensions);

/// The types of the values that a host passes on.
#[derive(Debug, Clone, Default)]
pub(super) struct Forwards(Vec<Forward>);

impl Forwards {
    pub(super) fn add<T: Clone + Send + Sync + 'static>(&mut self) {
        self.0.push(|from, to| {
            if let Some(value) = from.get::<T>() {
                to.insert(value.clone());
            }
        });
    }

    /// Returns the values of a request, if any type is passed on.
    pub(super) fn values(&self, request: &HttpRequest) -> Option<Box<Extensions>> {
        if self.0.is_empty() {
            return None;
        }
        let from = request.extensions();
        let mut values = Box::<Extensions>::default();
        for forward in &self.0 {
            forward(&from, &mut values);
        }
        Some(values)
    }
}
