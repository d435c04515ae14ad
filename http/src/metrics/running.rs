//! Values that are read when the metrics are requested.
//!
//! Counting these as they change would cost each call something. So the services are asked, at most
//! as often as somebody scrapes.

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

/// The counted services by their mounts.
pub(super) type Services = Arc<Mutex<BTreeMap<Arc<str>, CountedService>>>;

/// A service whose calls are counted.
#[derive(Debug)]
pub(super) struct CountedService {
    pub(super) service: Service,
    /// The number of requests that it rejected unread.
    pub(super) shed: Arc<AtomicU64>,
}

/// A value of each service.
struct ServiceGauge {
    name: &'static str,
    help: &'static str,
    read: fn(&Service) -> Option<u64>,
}

const SERVICE_GAUGES: &[ServiceGauge] = &[
    ServiceGauge {
        name: "running_calls",
        help: "Calls that are running, including those whose callers have disconnected.",
        read: |service| u64::try_from(service.running_calls()).ok(),
    },
    ServiceGauge {
        name: "subscriptions",
        help: "Subscriptions that are open.",
        read: |service| {
            if !service.has_subscriptions() {
                return None;
            }
            u64::try_from(service.open_subscriptions()).ok()
        },
    },
    ServiceGauge {
        name: "streams",
        help: "WebSockets and responses with events that are open.",
        read: |service| u64::try_from(service.open_streams()).ok(),
    },
    #[cfg(feature = "keys")]
    ServiceGauge {
        name: "keys",
        help: "Keys that are held.",
        read: |service| Some(service.key_usage()?.held.keys),
    },
    #[cfg(feature = "keys")]
    ServiceGauge {
        name: "keys_limit",
        help: "The most keys.",
        read: |service| Some(service.key_usage()?.limits.keys),
    },
    #[cfg(feature = "keys")]
    ServiceGauge {
        name: "keys_bytes",
        help: "Bytes that are held.",
        read: |service| Some(service.key_usage()?.held.bytes),
    },
    #[cfg(feature = "keys")]
    ServiceGauge {
        name: "keys_limit_bytes",
        help: "The most bytes.",
        read: |service| Some(service.key_usage()?.limits.bytes),
    },
];

/// Collects the service at each mount, the number of calls that it is running, and how full its store of
/// keys is.
#[derive(Debug)]
pub(super) struct ServiceGauges(pub(super) Services);

impl Collector for ServiceGauges {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let services = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for gauge in SERVICE_GAUGES {
            let mut family =
                encoder.encode_descriptor(gauge.name, gauge.help, None, MetricType::Gauge)?;
            for (mount, counted) in &*services {
                if let Some(value) = (gauge.read)(&counted.service) {
                    ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX))
                        .encode(family.encode_family(&[("mount", &**mount)])?)?;
                }
            }
        }
        let help = "Requests rejected unread because the server was busy or shutting down.";
        let mut family = encoder.encode_descriptor("shed", help, None, MetricType::Counter)?;
        for (mount, counted) in &*services {
            ConstCounter::new(counted.shed.load(Ordering::Relaxed))
                .encode(family.encode_family(&[("mount", &**mount)])?)?;
        }
        let help = "The services, with their versions, by their mounts.";
        let mut family =
            encoder.encode_descriptor("service_info", help, None, MetricType::Gauge)?;
        for (mount, counted) in &*services {
            let description = counted.service.description();
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
