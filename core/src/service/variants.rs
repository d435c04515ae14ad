//! Variants of a service: the same procedures, described or observed differently.
//!
//! Versions and tests need the same procedures with another description, or with other observers. A
//! variant shares all that is the same, so it is cheap.

use std::sync::Arc;

use docent_describe::Carrier;

use super::assembly;
use super::renderings::Renderings;
use super::results::{CheckResults, Results};
use super::state::{Frame, Inner, Service};
use crate::observer::Observer;

impl Service {
    /// Returns the same service with links to documentation: `help` for the service, and for each
    /// procedure the path that `page` returns for its name, relative to `help`.
    pub fn with_help(&self, help: &str, page: impl Fn(&str) -> Option<String>) -> Self {
        let mut description = self.description().clone();
        description.help = Some(help.to_owned());
        for procedure in &mut description.procs {
            procedure.help = page(&procedure.name).map(|page| format!("{help}{page}"));
        }
        self.with_renderings(self.inner.renderings.with_description(description))
    }

    /// Returns the same service for a carrier that brings only a name, parameters and an id of each call, such as
    /// the server of another crate.
    ///
    /// Its description leaves out what such a carrier cannot do: `cache`, `repeatable` and `notification`, and GET in
    /// OpenAPI documents. Procedures stay `idempotent`.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use docent::{Cx, Fault, Procedure, Service};
    /// let service = Service::builder("clock", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c23")
    ///     .procedure(
    ///         Procedure::sync("now", |_: Cx, (): ()| Ok::<_, Fault>("12:00"))
    ///             .idempotent()
    ///             .cache_for(Duration::from_secs(60)),
    ///     )
    ///     .build()?;
    /// let elsewhere = service.with_calls_only();
    /// let described = &elsewhere.description().procs[0];
    /// assert!(described.idempotent);
    /// assert!(described.cache.is_none());
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    pub fn with_calls_only(&self) -> Self {
        let mut description = self.description().clone();
        for procedure in &mut description.procs {
            procedure.cache = None;
            procedure.repeatable = None;
            procedure.notification = false;
        }
        let renderings = self.inner.renderings.with_description(description);
        self.with_renderings(renderings.without_get())
    }

    /// Returns the same service, whose description names these carriers. For hosts: a caller learns how it can get the
    /// items of subscriptions.
    pub fn with_carriers(&self, carriers: Vec<Carrier>) -> Self {
        let mut description = self.description().clone();
        description.carriers = carriers;
        self.with_renderings(self.inner.renderings.with_description(description))
    }

    /// Returns the same service with one more observer.
    pub fn with_observer(&self, observer: impl Observer) -> Self {
        self.with_frame(|frame| frame.registration.observers.push(Arc::new(observer)))
    }

    /// Returns the same service for tests: results and error data that do not match the description
    /// are rejected, regardless of [`check_results`](crate::ServiceBuilder::check_results).
    ///
    /// ```
    /// # use docent::{CheckResults, Cx, Fault, Procedure, Service};
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct Reading {
    ///     #[schemars(range(max = 10))]
    ///     volts: f64,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let service = Service::builder("sensor", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c12")
    ///     .procedure(Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(Reading { volts: 12.0 })))
    ///     .check_results(CheckResults::Off)
    ///     .build()?;
    /// let error = service.for_tests().call::<serde_json::Value>("read", &()).await.unwrap_err();
    /// assert_eq!(error.code(), Some(-32603));
    /// # Ok(())
    /// # }
    /// ```
    pub fn for_tests(&self) -> Self {
        let longest = self.limits().max_response_bytes;
        let results = Results::new(
            self.description(),
            CheckResults::Refuse,
            longest,
            &mut |_| {},
        );
        self.with_frame(|frame| frame.results = results.map(Arc::new))
    }

    /// Returns the same procedures and the same description in another frame.
    fn with_frame(&self, change: impl FnOnce(&mut Frame)) -> Self {
        let mut inner = Inner::clone(&self.inner);
        change(&mut inner.frame);
        self.with_inner(inner)
    }

    /// Returns the same procedures with other renderings of their description.
    fn with_renderings(&self, renderings: Renderings) -> Self {
        let renderings = Arc::new(renderings);
        let frame = self.inner.frame.clone();
        let reserved = assembly::reserve_again(&renderings, &frame);
        let mut callables = Vec::new();
        for procedure in &self.description().procs {
            callables.extend(self.inner.procedures.get(&*procedure.name).cloned());
        }
        // They come last, because they replace the old ones.
        callables.extend(reserved.into_iter().map(Arc::new));
        self.with_inner(Inner::new(renderings, frame, callables))
    }

    fn with_inner(&self, inner: Inner) -> Self {
        Self {
            inner: Arc::new(inner),
            ..self.clone()
        }
    }
}
