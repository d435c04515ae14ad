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

/// A value of each service: its name, its help, and how it is read.
type ServiceGauge = (&'static str, &'static str, fn(&Service) -> Option<u64>);

const GAUGES: &[ServiceGauge] = &[
    (
        "running_calls",
        "Calls that are running, including those whose callers have disconnected.",
        |it| u64::try_from(it.running_calls()).ok(),
    ),
    #[cfg(feature = "keys")]
    ("keys", "Keys that are held.", |it| {
        Some(it.key_usage()?.held.keys)
    }),
    #[cfg(feature = "keys")]
    ("keys_limit", "The most keys.", |it| {
        Some(it.key_usage()?.limits.keys)
    }),
    #[cfg(feature = "keys")]
    ("keys_bytes", "Bytes that are held.", |it| {
        Some(it.key_usage()?.held.bytes)
    }),
    #[cfg(feature = "keys")]
    ("keys_limit_bytes", "The most bytes.", |it| {
        Some(it.key_usage()?.limits.bytes)
    }),
];

/// Collects which service is at each mount, how many calls it is running, and how full its store of keys
/// is.
#[derive(Debug)]
pub(super) struct ServiceGauges(pub(super) Services);

impl Collector for ServiceGauges {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let services = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, help, value) in GAUGES {
            let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (mount, (service, _)) in &*services {
                if let Some(value) = value(service) {
                    ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX))
                        .encode(family.encode_family(&[("mount", &**mount)])?)?;
                }
            }
        }
        let help = "Requests rejected unread because the server was busy or shutting down.";
        let mut family = encoder.encode_descriptor("shed", help, None, MetricType::Counter)?;
        for (mount, (_, shed)) in &*services {
            ConstCounter::new(shed.load(Ordering::Relaxed))
                .encode(family.encode_family(&[("mount", &**mount)])?)?;
        }
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
