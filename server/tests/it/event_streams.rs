//! Streams of events in metrics and in the access log: as what they are, and not as long calls.

use actix_web::App;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use docent::{
    AccessLog, AppPage, Cx, Fault, Metrics, Mount, Procedure, Routes, Service, Subscription,
};
use futures_util::stream;

use crate::access_log::Paper;
use crate::exposition::Exposition;
use crate::get;

fn service(log: AccessLog) -> Service {
    let count = async |_: Cx, (): ()| Ok::<_, Fault>(stream::iter([1, 2].map(Ok::<_, Fault>)));
    Service::builder("counted", "urn:uuid:41544946-415a-495a-5645-454441534649")
        .procedure(Subscription::new("count", count).idempotent())
        .procedure(Procedure::sync("read", |_: Cx, (): ()| Ok::<_, Fault>(1)).idempotent())
        .observer(log)
        .build()
        .expect("a service")
}

fn events(target: &str) -> TestRequest {
    get(target).insert_header(("accept", "text/event-stream"))
}

#[actix_web::test]
async fn a_subscription_is_counted_at_its_end_and_its_life_is_no_duration_of_a_call() {
    let paper = Paper::default();
    let metrics = Metrics::new();
    {
        let service = service(AccessLog::json(paper.clone()));
        let routes = Routes::from(&service).count_in(&metrics);
        let mount = Mount::new(routes).expect("a mount");
        let app = init_service(App::new().service(AppPage(metrics.clone())).service(mount)).await;
        let counted = || {
            let text = metrics.text();
            Exposition::read(&text)
        };
        let open = call_service(&app, events("/rpc/count").to_request()).await;
        let mount = [("mount", "/rpc")];
        assert_eq!(counted().get("docent_subscriptions", &mount), Some(1.0));
        read_body(open).await;
        read_body(call_service(&app, events("/rpc/read").to_request()).await).await;
        let counted = counted();
        assert_eq!(counted.get("docent_subscriptions", &mount), Some(0.0));
        for (procedure, durations) in [("count", None), ("read", Some(1.0))] {
            let labels = [("mount", "/rpc"), ("procedure", procedure)];
            let name = "docent_call_duration_seconds_count";
            assert_eq!(counted.get(name, &labels), durations, "{procedure}");
            let labels = [
                ("mount", "/rpc"),
                ("procedure", procedure),
                ("protocol", "2.0"),
                ("code", "ok"),
            ];
            assert_eq!(counted.get("docent_calls_total", &labels), Some(1.0));
        }
    }
    // The metrics still have the service, so its log has not ended.
    paper.wait_for(2);
    let text = paper.text();
    let [count, read] = *text.lines().collect::<Vec<_>>() else {
        panic!("{text}");
    };
    let reported = r#""procedure":"count","version":null,"code":null,"ending":"answered","subscription":true,"#;
    assert!(count.contains(reported), "{count}");
    assert!(!read.contains("subscription"), "{read}");
}
