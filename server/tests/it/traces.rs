//! Traces: everything that happens during a call is in a span that names the caller's trace.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use actix_web::test::TestRequest;
use docent::{Cx, Fault, Procedure, Service, TraceParent};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, Interest};
use tracing::{Event, Metadata, Subscriber};

use crate::{ask, get, post};

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A record of spans and events in the order in which they happened.
#[derive(Default)]
pub(crate) struct Written {
    /// The fields of each span, as `name=value` words.
    spans: Vec<String>,
    /// The spans that are currently entered.
    stack: Vec<u64>,
    /// Each span that was entered, and the thread that entered it.
    entered: Vec<(u64, ThreadId)>,
    /// The messages of events, and the spans in which they happened.
    pub(crate) events: Vec<(String, Option<u64>)>,
}

#[derive(Clone, Default)]
pub(crate) struct Notebook(Arc<Mutex<Written>>);

impl Notebook {
    pub(crate) fn read<T>(&self, look: impl FnOnce(&Written) -> T) -> T {
        look(&self.0.lock().expect("no panic"))
    }
}

struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{}={value:?} ", field.name());
    }
}

/// Subscribes for every thread that has no notebook, and records nothing. Without a subscriber,
/// tracing would disable events for the whole process while tests in other threads come and go.
struct Attentive;

impl Subscriber for Attentive {
    fn register_callsite(&self, _: &'static Metadata<'static>) -> Interest {
        Interest::sometimes()
    }

    fn enabled(&self, _: &Metadata<'_>) -> bool {
        false
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Records what happens in this thread.
pub(crate) fn listen(notebook: &Notebook) -> DefaultGuard {
    // The first test sets it. For the others it is already set.
    let _ = tracing::subscriber::set_global_default(Attentive);
    tracing::subscriber::set_default(notebook.clone())
}

impl Subscriber for Notebook {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("docent")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(String::new());
        span.record(&mut fields);
        let mut written = self.0.lock().expect("no panic");
        written.spans.push(fields.0);
        Id::from_u64(written.spans.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        let mut written = self.0.lock().expect("no panic");
        let span = written.stack.last().copied();
        written.events.push((fields.0, span));
    }

    fn enter(&self, span: &Id) {
        let mut written = self.0.lock().expect("no panic");
        written.stack.push(span.into_u64());
        let here = (span.into_u64(), thread::current().id());
        written.entered.push(here);
    }

    fn exit(&self, _: &Id) {
        self.0.lock().expect("no panic").stack.pop();
    }
}

/// The thread on which a blocking handler ran.
type Place = Arc<Mutex<Option<ThreadId>>>;

fn service(place: &Place) -> Service {
    let place = Arc::clone(place);
    let seen = |cx: &Cx| cx.extension::<TraceParent>().map(ToString::to_string);
    Service::builder("traced", "urn:uuid:5a4b3c2d-1e0f-4a9b-8c7d-6e5f4a3b2c1d")
        .procedure(
            Procedure::sync("seen", move |cx: Cx, (): ()| Ok::<_, Fault>(seen(&cx))).idempotent(),
        )
        .procedure(Procedure::new("waited", move |cx: Cx, (): ()| async move {
            tokio::task::yield_now().await;
            Ok::<_, Fault>(seen(&cx))
        }))
        .procedure(Procedure::blocking("blocked", move |cx: Cx, (): ()| {
            *place.lock().expect("no panic") = Some(thread::current().id());
            Ok::<_, Fault>(seen(&cx))
        }))
        .procedure(Procedure::sync("broken", |_: Cx, (): ()| {
            Err::<(), _>(Fault::internal("a cause"))
        }))
        .procedure(Procedure::new("panics", |_: Cx, (): ()| async {
            tokio::task::yield_now().await;
            assert_eq!(1, 2, "a panic");
            Ok::<_, Fault>(())
        }))
        .build()
        .expect("a service")
}

fn call(procedure: &str) -> TestRequest {
    post(&format!(
        r#"{{"jsonrpc":"2.0","method":"{procedure}","id":1}}"#
    ))
}

#[actix_web::test]
async fn the_callers_trace_gets_to_handlers_and_to_the_span_however_they_are_called() {
    let notebook = Notebook::default();
    let _listening = listen(&notebook);
    let place = Place::default();
    let service = service(&place);
    let batch = r#"[{"jsonrpc":"2.0","method":"waited","id":1}]"#;
    for request in [
        call("seen"),
        call("waited"),
        call("blocked"),
        get("/rpc/seen"),
        post(batch),
    ] {
        let response = ask(&service, request.insert_header(("traceparent", PARENT))).await;
        assert!(response.body.contains(PARENT), "{}", response.body);
    }
    let spans = notebook.read(|written| written.spans.clone());
    assert_eq!(spans.len(), 5);
    for (span, procedure) in spans
        .iter()
        .zip(["seen", "waited", "blocked", "seen", "waited"])
    {
        assert!(
            span.contains(&format!("procedure={procedure:?} ")),
            "{span}"
        );
        assert!(span.contains("protocol=\"2.0\" "), "{span}");
        assert!(span.contains(&format!("traceparent={PARENT:?} ")), "{span}");
    }
    let place = place.lock().expect("no panic").expect("it ran");
    assert_ne!(place, thread::current().id());
    assert!(notebook.read(|written| written.entered.contains(&(3, place))));
}

#[actix_web::test]
async fn what_is_no_trace_gets_nowhere() {
    let notebook = Notebook::default();
    let _listening = listen(&notebook);
    let service = service(&Place::default());
    let long = format!("{PARENT}{}", "x".repeat(4000));
    let none: &[&str] = &[];
    for values in [none, &["evil"], &[&long], &[PARENT, PARENT]] {
        let request = values.iter().fold(call("seen"), |request, value| {
            request.append_header(("traceparent", *value))
        });
        let response = ask(&service, request).await;
        assert_eq!(response.json()["result"], serde_json::Value::Null);
    }
    let spans = notebook.read(|written| written.spans.clone());
    assert_eq!(spans.len(), 4);
    assert!(
        spans.iter().all(|span| !span.contains("traceparent")),
        "{spans:?}"
    );
}

#[actix_web::test]
async fn what_goes_wrong_is_logged_in_the_span_of_its_call() {
    let notebook = Notebook::default();
    let _listening = listen(&notebook);
    let service = service(&Place::default());
    for (procedure, cause) in [("broken", "a cause"), ("panics", "a panic")] {
        let response = ask(&service, call(procedure)).await;
        assert_eq!(response.json()["error"]["code"], -32603);
        let (event, span) = notebook.read(|written| written.events.last().cloned().expect("one"));
        assert!(event.contains(cause), "{event}");
        let span = notebook.read(|written| {
            let span = usize::try_from(span?).ok()?;
            written.spans.get(span - 1).cloned()
        });
        let named = format!("procedure={procedure:?}");
        assert!(span.is_some_and(|span| span.contains(&named)), "{event}");
    }
}
