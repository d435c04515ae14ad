//! A weather station: a service of Docent, and a subscription of jsonrpsee to what changes in it.

use std::sync::Arc;

use docent_jsonrpsee::{BuildError, Fault, RpcError, Service, procedures};
use jsonrpsee::RpcModule;
use jsonrpsee::core::{RegisterMethodError, SubscriptionResult};
use jsonrpsee::server::PendingSubscriptionSink;
use serde_json::value::to_raw_value;
use tokio::sync::watch;

/// The last temperature, and who waits for the next.
pub(crate) struct Station {
    last: watch::Sender<Option<f64>>,
}

#[derive(RpcError)]
pub(crate) enum StationError {
    #[rpc(code = 1404, message = "Nothing measured yet")]
    NothingYet,
}

#[procedures(prefix = "temperature")]
impl Station {
    /// Returns the last temperature.
    #[procedure(idempotent, cache_for = "10s", returns = "Degrees Celsius.")]
    fn last(&self) -> Result<f64, StationError> {
        self.last.borrow().ok_or(StationError::NothingYet)
    }

    /// Records a temperature.
    #[procedure]
    fn record(
        &self,
        /// Degrees Celsius.
        #[schemars(range(min = -90, max = 60))]
        celsius: f64,
    ) -> Result<(), Fault> {
        self.last.send_replace(Some(celsius));
        Ok(())
    }
}

impl Station {
    pub(crate) fn new() -> Arc<Self> {
        let last = watch::Sender::new(None);
        Arc::new(Self { last })
    }

    /// Returns the service of the station.
    pub(crate) fn service(self: &Arc<Self>) -> Result<Service, BuildError> {
        Service::builder("station", "urn:uuid:5a1d1c86-6a3c-4d59-8f2e-9d1b0c7e4a11")
            .version("1.0")
            .procedures(self.shared_procedures())
            .build()
    }

    /// Registers a subscription to temperatures.
    pub(crate) fn register_subscription<C: Send + Sync + 'static>(
        &self,
        module: &mut RpcModule<C>,
    ) -> Result<(), RegisterMethodError> {
        let last = self.last.subscribe();
        module.register_subscription(
            "temperature.watch",
            "temperature.watch",
            "temperature.unwatch",
            move |_, pending, _, _| send_changes(pending, last.clone()),
        )?;
        Ok(())
    }
}

/// Sends each new temperature to a subscriber, until it leaves.
async fn send_changes(
    pending: PendingSubscriptionSink,
    mut last: watch::Receiver<Option<f64>>,
) -> SubscriptionResult {
    // A caller that has the answer misses nothing that is recorded later.
    last.mark_unchanged();
    let sink = pending.accept().await?;
    loop {
        tokio::select! {
            () = sink.closed() => return Ok(()),
            changed = last.changed() => changed?,
        }
        let celsius = to_raw_value(&*last.borrow_and_update())?;
        sink.send(celsius).await?;
    }
}
