//! Values that are read when the metrics are requested.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use docent_core::Service;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// The counted services by their mounts, each with the number of requests that it rejected unread.
pub(super) type Services = Arc<Mutex<ServicesByMount>>;

type ServicesByMount = BTreeMap<Arc<str>, (Service, Arc<AtomicU64>)>;

/// Collects which service is at each mount, how many calls it is running, and how full its store of keys
/// is.
#[derive(Debug)]
pub(super) struct ServiceGauges(pub(super) Services);

impl Collector for ServiceGauges {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let help = "Calls that are running, including those whose callers have disconnected.";
        let mut family =
            encoder.encode_descriptor("running_calls", help, None, MetricType::Gauge)?;
        let services = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (mount, (service, _)) in &*services {
            let running = i64::try_from(service.running_calls()).unwrap_or(i64::MAX);
            let gauge = ConstGauge::new(running);
            gauge.encode(family.encode_family(&[("mount", &**mount)])?)?;
        }
        let help = "Requests rejected unread because the server was busy or shutting down.";
        let mut family = encoder.encode_descriptor("shed", help, None, MetricType::Counter)?;
        for (mount, (_, shed)) in &*services {
            let counter = ConstCounter::new(shed.load(Ordering::Relaxed));
            counter.encode(family.encode_family(&[("mount", &**mount)])?)?;
        }
        #[cfg(feature = "keys")]
        encode_keys(&services, &mut encoder)?;
        let help = "The services, with their versions, by their mounts.";
        let mut family =
            encoder.encode_descriptor("service_info", help, None, MetricType::Gauge)?;
        for (mount, (service, _)) in &*services {
            let description = service.description();
            let version = description.version.as_deref().unwrap_or_default();
            let labels = [
                ("mount", &**mount),
                ("service", &description.name),
                ("version", version),
            ];
            ConstGauge::new(1_i64).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }
}

/// Collects how full the stores of keys are.
#[cfg(feature = "keys")]
fn encode_keys(
    services: &ServicesByMount,
    encoder: &mut DescriptorEncoder<'_>,
) -> Result<(), fmt::Error> {
    /// The name of a gauge, its help, and its value.
    type KeyGauge = (&'static str, &'static str, fn(docent_core::KeyUsage) -> u64);
    const KEYS: [KeyGauge; 4] = [
        ("keys", "Keys that are held.", |it| it.held.keys),
        ("keys_limit", "The most keys.", |it| it.limits.keys),
        ("keys_bytes", "Bytes that are held.", |it| it.held.bytes),
        ("keys_limit_bytes", "The most bytes.", |it| it.limits.bytes),
    ];
    for (name, help, value) in KEYS {
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (mount, (service, _)) in services {
            if let Some(usage) = service.key_usage() {
                let gauge = ConstGauge::new(i64::try_from(value(usage)).unwrap_or(i64::MAX));
                gauge.encode(family.encode_family(&[("mount", &**mount)])?)?;
            }
        }
    }
    Ok(())
}
