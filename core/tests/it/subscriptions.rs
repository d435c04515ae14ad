//! Subscriptions as a service registers them, and as a test in process reads them.

use docent_core::{Cx, Fault, Item, Items, Procedure, RpcError, Service, Subscription, Topic};
use docent_describe::LagPolicy;
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Loan {
    #[schemars(range(max = 1000))]
    number: u64,
    book: u32,
}

/// Tells of every loan.
#[derive(Deserialize, JsonSchema)]
struct Watch {
    /// The number of the last loan that you know.
    after: Option<u64>,
}

#[derive(Debug, RpcError)]
enum LoanError {
    #[rpc(code = 1404, message = "No such book")]
    NoSuchBook,
}

fn loan(number: u64) -> Loan {
    Loan { number, book: 7 }
}

/// A topic whose followers lose the items before the last three.
fn topic() -> Topic<Loan> {
    Topic::new(3)
}

fn watch() -> Subscription<Loan, Topic<Loan>> {
    Subscription::new("loan.watch", |cx: Cx<Topic<Loan>>, p: Watch| async move {
        match p.after {
            None => Ok(cx.state().follow()),
            Some(after) => cx
                .state()
                .resume(|loan| loan.number == after)
                .ok_or_else(Fault::cannot_resume),
        }
    })
    .resume_by("after", |loan| loan.number)
}

fn service_of<T>(topic: Topic<Loan>, subscription: Subscription<T, Topic<Loan>>) -> Service {
    Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2d01")
        .state(topic)
        .procedure(subscription)
        .build()
        .expect("it is right")
}

fn publish(topic: &Topic<Loan>, numbers: impl IntoIterator<Item = u64>) {
    for number in numbers {
        topic.publish(loan(number)).expect("JSON");
    }
}

/// Returns the next items: the number of each, its cursor, and the number of those that were lost before it.
async fn next(items: &mut Items<Loan>, count: usize) -> Vec<(u64, Option<String>, u64)> {
    let mut next = Vec::new();
    for item in items.take(count).collect::<Vec<_>>().await {
        let Item {
            value,
            cursor,
            missed,
            ..
        } = item.expect("an item");
        next.push((value.number, cursor, missed));
    }
    next
}

#[tokio::test]
async fn a_subscriber_gets_what_is_published_after_its_call_with_cursors() {
    let topic = topic();
    let service = service_of(topic.clone(), watch());
    publish(&topic, [1]);
    let mut items = service
        .subscribe("loan.watch", &())
        .await
        .expect("it subscribes");
    publish(&topic, [2, 3]);
    let expected = [(2, Some("2".to_owned()), 0), (3, Some("3".to_owned()), 0)];
    assert_eq!(next(&mut items, 2).await, expected);
    assert_eq!(
        service.running_calls(),
        0,
        "a subscription is no running call"
    );
}

#[tokio::test]
async fn who_comes_back_with_its_last_cursor_misses_nothing_and_sees_nothing_twice() {
    let topic = topic();
    let service = service_of(topic.clone(), watch());
    publish(&topic, 1..=4);
    let after = json!({"after": 2});
    let mut items = service
        .subscribe("loan.watch", &after)
        .await
        .expect("it resumes");
    publish(&topic, [5]);
    let numbers: Vec<u64> = next(&mut items, 3)
        .await
        .into_iter()
        .map(|item| item.0)
        .collect();
    assert_eq!(numbers, [3, 4, 5]);
    let too_old = service
        .subscribe::<Loan>("loan.watch", &json!({"after": 1}))
        .await;
    assert_eq!(too_old.expect_err("it is lost").code(), Some(-32014));
}

#[tokio::test]
async fn who_falls_behind_is_ended_with_the_number_of_lost_items_and_skips_them_where_the_author_says_so()
 {
    let topic = topic();
    let ends = service_of(topic.clone(), watch());
    let skips = service_of(topic.clone(), watch().skip_missed());
    let mut ended: Items<Loan> = ends
        .subscribe("loan.watch", &())
        .await
        .expect("it subscribes");
    let mut skipped = skips
        .subscribe("loan.watch", &())
        .await
        .expect("it subscribes");
    publish(&topic, 1..=5);
    let error = ended.next().await.expect("its end").expect_err("an error");
    assert_eq!(error.to_string(), r#"Fell behind (-32013): {"missed":2}"#);
    assert!(ended.next().await.is_none());
    assert_eq!(next(&mut skipped, 1).await, [(3, Some("3".to_owned()), 2)]);
}

#[tokio::test]
async fn a_subscriber_that_falls_behind_is_notified_even_if_a_filter_lets_nothing_pass() {
    let topic = topic();
    let watch = async |cx: Cx<Topic<Loan>>, (): ()| {
        Ok::<_, Fault>(
            cx.state()
                .follow::<Fault>()
                .filter(|loan| loan.number > 100),
        )
    };
    let service = service_of(topic.clone(), Subscription::new("loan.watch", watch));
    let mut items: Items<Loan> = service
        .subscribe("loan.watch", &())
        .await
        .expect("it subscribes");
    publish(&topic, 1..=4);
    let error = items.next().await.expect("its end").expect_err("an error");
    assert_eq!(error.code(), Some(-32013));
}

#[tokio::test]
async fn a_plain_stream_is_a_source_and_its_end_and_its_errors_end_the_subscription() {
    let counted = Subscription::new("count", |_: Cx<Topic<Loan>>, p: Vec<u64>| async move {
        let mut items: Vec<_> = (1..=p[0]).map(|number| Ok(loan(number))).collect();
        items.push(Err(LoanError::NoSuchBook));
        Ok::<_, LoanError>(stream::iter(items))
    });
    let service = service_of(topic(), counted);
    let items = service
        .subscribe::<Loan>("count", &[2])
        .await
        .expect("it subscribes");
    let got: Vec<_> = items.collect().await;
    let [first, second, last] = &got[..] else {
        panic!("two items and an error, not {got:?}");
    };
    for (item, number) in [(first, 1), (second, 2)] {
        assert_eq!(item.as_ref().expect("an item").value, loan(number));
    }
    assert_eq!(last.as_ref().expect_err("the end").code(), Some(1404));
}

#[tokio::test]
async fn items_in_process_end_even_if_a_service_sends_no_ends() {
    let numbers = async |_: Cx<Topic<Loan>>, (): ()| {
        Ok::<_, Fault>(stream::iter(
            [1, 2].map(|number| Ok::<_, Fault>(loan(number))),
        ))
    };
    let service = service_of(topic(), Subscription::new("numbers", numbers).ends_untold());
    let mut items = service
        .subscribe("numbers", &())
        .await
        .expect("it subscribes");
    assert_eq!(next(&mut items, 3).await.len(), 2);
}

#[tokio::test]
async fn an_error_before_the_stream_is_the_answer_to_the_call() {
    let never = Subscription::new("never", |_: Cx<Topic<Loan>>, (): ()| async {
        Err::<stream::Empty<Result<Loan, _>>, _>(LoanError::NoSuchBook)
    });
    let service = service_of(topic(), never);
    let refused = service.subscribe::<Loan>("never", &()).await;
    assert_eq!(refused.expect_err("an error").code(), Some(1404));
    let called = service.call::<String>("never", &()).await;
    assert_eq!(
        called.expect_err("it needs a connection").code(),
        Some(-32011)
    );
}

#[tokio::test]
async fn an_item_that_its_description_does_not_allow_ends_the_subscription() {
    let topic = topic();
    let service = service_of(topic.clone(), watch());
    let mut items: Items<Loan> = service
        .subscribe("loan.watch", &())
        .await
        .expect("it subscribes");
    publish(&topic, [1001]);
    let error = items.next().await.expect("its end").expect_err("an error");
    assert_eq!(error.code(), Some(-32603));
}

#[tokio::test]
async fn a_cursor_that_an_event_cannot_carry_ends_the_subscription() {
    for cursor in ["", "-", "a\nb", "a\rb", "a\0b", " a", "a\t"] {
        let topic = topic();
        let service = service_of(topic.clone(), watch_with_cursor(cursor));
        let mut items: Items<Loan> = service
            .subscribe("loan.watch", &())
            .await
            .expect("it subscribes");
        publish(&topic, [1]);
        let error = items.next().await.expect("its end").expect_err("an error");
        assert_eq!(error.code(), Some(-32603), "{cursor:?}");
    }
}

fn watch_with_cursor(cursor: &'static str) -> Subscription<Loan, Topic<Loan>> {
    Subscription::new("loan.watch", |cx: Cx<Topic<Loan>>, _: Watch| async move {
        Ok::<_, Fault>(cx.state().follow())
    })
    .resume_by("after", move |_| cursor)
}

#[test]
fn a_subscription_is_described_with_its_item_and_what_its_author_says() {
    let watch = watch()
        .tag("loans")
        .items("A loan, once it is made.")
        .notified_as("loan_made")
        .ends_untold()
        .skip_missed()
        .example(json!({"after": 17}), [loan(18), loan(19)]);
    let service = service_of(topic(), watch);
    let described = &service.description().procs[0];
    let subscription = described.subscription.as_ref().expect("it is one");
    assert!(described.returns.is_none());
    assert_eq!(described.summary.as_deref(), Some("Tells of every loan."));
    assert_eq!(described.tags, ["loans"]);
    assert_eq!(
        subscription.item.description.as_deref(),
        Some("A loan, once it is made.")
    );
    assert_eq!(
        subscription.item.schema.to_string(),
        r##"{"$ref":"#/components/schemas/Loan"}"##
    );
    assert_eq!(subscription.notification.as_deref(), Some("loan_made"));
    assert_eq!(subscription.resume.as_deref(), Some("after"));
    assert_eq!(subscription.behind, Some(LagPolicy::Skip));
    assert!(subscription.ends_untold);
    let items = described.examples[0].items.as_ref().expect("items");
    assert_eq!(items.len(), 2);
}

#[test]
fn the_source_says_what_happens_to_who_falls_behind() {
    let plain = Subscription::new("plain", |_: Cx<Topic<Loan>>, (): ()| async {
        Ok::<_, Fault>(stream::empty::<Result<Loan, Fault>>())
    });
    for (service, expected) in [
        (service_of(topic(), watch()), LagPolicy::End),
        (service_of(topic(), plain), LagPolicy::Wait),
    ] {
        let subscription = &service.description().procs[0].subscription;
        let described = subscription.as_ref().expect("a subscription");
        assert_eq!(described.behind, Some(expected));
    }
}

/// Parameters that no cursor fits, but for the last.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only described")]
struct Cursors {
    required: String,
    list: Option<Vec<u32>>,
    flag: Option<bool>,
    text: Option<String>,
}

#[test]
fn a_parameter_that_cannot_take_a_cursor_is_a_mistake() {
    for (parameter, expected) in [
        (
            "missing",
            Some("resume_by names `missing`, which is no parameter"),
        ),
        (
            "required",
            Some("which the first call of a client cannot give"),
        ),
        ("list", Some("whose type is no text and no number")),
        ("flag", Some("whose type is no text and no number")),
        ("text", None),
    ] {
        let watch = Subscription::new("watch", |_: Cx, _: Cursors| async {
            Ok::<_, Fault>(stream::empty::<Result<u32, Fault>>())
        });
        let built = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2d02")
            .procedure(watch.resume_by(parameter, |item| *item))
            .build();
        match expected {
            None => assert!(built.is_ok(), "{parameter}"),
            Some(mistake) => {
                let error = built.expect_err(parameter).to_string();
                assert!(error.contains(mistake), "{error}");
            }
        }
    }
}

#[test]
fn an_example_whose_items_do_not_match_is_a_mistake() {
    let watch = watch().example((), [loan(1), loan(1001)]);
    let built = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2d03")
        .state(topic())
        .procedure(watch)
        .build();
    let error = built.expect_err("1001 is too much").to_string();
    let mistake = "example 1: item 2 does not match the type of the items";
    assert!(error.contains(mistake), "{error}");
}

#[tokio::test]
async fn a_procedure_is_not_subscribed_to() {
    let sum = Procedure::sync("sum", |_: Cx, p: Vec<i64>| {
        Ok::<_, Fault>(p.iter().sum::<i64>())
    });
    let service = Service::builder("sums", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2d04")
        .procedure(sum)
        .build()
        .expect("it is right");
    for (name, params) in [("sum", json!([1])), ("rpc.describe", json!([]))] {
        let error = service
            .subscribe::<i64>(name, &params)
            .await
            .expect_err(name)
            .to_string();
        assert!(error.contains("is not a subscription"), "{error}");
    }
}

#[tokio::test]
async fn an_item_with_a_name_that_serde_json_keeps_to_itself_is_refused() {
    let watch = Subscription::new("watch", |_: Cx, (): ()| async {
        let item = json!({"$serde_json::private::Number": "1"});
        Ok::<_, Fault>(stream::iter([Ok(item)]))
    });
    let service = Service::builder("library", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2d05")
        .procedure(watch)
        .build()
        .expect("it is right");
    let error = service
        .subscribe::<serde_json::Value>("watch", &())
        .await
        .expect("it subscribes")
        .next()
        .await
        .expect("its end")
        .expect_err("an error");
    assert!(
        error.to_string().contains("$serde_json::private"),
        "{error}"
    );
}
