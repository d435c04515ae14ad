//! `#[subscription]`: what it registers, beside what one would register by hand.

use std::time::Duration;

use docent_core::{
    Cx, Fault, Following, RpcError, Service, Subscription, Topic, procedures, subscription,
};
use docent_describe::{LagPolicy, ProcedureDescription};
use futures_util::{Stream, StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::builder;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Loan {
    number: u64,
}

#[derive(Debug, RpcError)]
enum LoanError {
    #[rpc(code = 1404, message = "No such book")]
    NoSuchBook,
}

/// A library that tells of its loans.
struct Library {
    loans: Topic<Loan>,
}

#[procedures(prefix = "loan", tag = "loans", cache_for = "60s", idempotent)]
impl Library {
    /// Tells of every loan.
    ///
    /// It begins with the next one.
    #[subscription(
        resume_by("after", |loan| loan.number),
        notified_as = "loan_made",
        items = "A loan, once it is made.",
        skip_missed,
        ends_untold,
        timeout = "5s",
        max_concurrent = 8,
        error(code = 1500, message = "Closed"),
        example(params = {"after": 17}, items = [{"number": 18}, {"number": 19}]),
        example(summary = "Closed", error = 1500)
    )]
    fn watch(
        &self,
        /// The number of the last loan that you know.
        after: Option<u64>,
    ) -> Result<Following<Loan, Fault>, Fault> {
        match after {
            None => Ok(self.loans.follow()),
            Some(after) => self
                .loans
                .resume(|loan| loan.number == after)
                .ok_or_else(Fault::cannot_resume),
        }
    }

    /// Counts loans.
    #[subscription]
    async fn count(
        &self,
        cx: Cx,
        #[procedure(default = 2)] limit: u64,
    ) -> Result<impl Stream<Item = Result<Loan, LoanError>> + use<>, LoanError> {
        assert_eq!(cx.procedure().name, "loan.count");
        if limit == 0 {
            return Err(LoanError::NoSuchBook);
        }
        Ok(stream::iter((1..=limit).map(|number| Ok(Loan { number }))))
    }

    /// Returns the number of loans.
    #[procedure]
    fn number(&self) -> Result<u64, Fault> {
        Ok(0)
    }
}

/// Tells of loans without a state.
#[subscription(name = "loan.tell")]
async fn tell(#[params] limits: Limits) -> Result<impl Stream<Item = Result<Loan, Fault>>, Fault> {
    Ok(stream::iter(
        (0..limits.limit).map(|number| Ok(Loan { number })),
    ))
}

#[derive(Deserialize, JsonSchema)]
struct Limits {
    /// The number of loans.
    limit: u64,
}

/// Tells of every loan.
///
/// It begins with the next one.
#[derive(Deserialize, JsonSchema)]
struct Watch {
    /// The number of the last loan that you know.
    after: Option<u64>,
}

fn by_hand() -> Subscription<Loan, Library> {
    Subscription::new("loan.watch", |cx: Cx<Library>, p: Watch| async move {
        cx.state().watch(p.after)
    })
    .resume_by("after", |loan| loan.number)
    .notified_as("loan_made")
    .items("A loan, once it is made.")
    .skip_missed()
    .ends_untold()
    .timeout(Duration::from_secs(5))
    .max_concurrent(8)
    .error(1500, "Closed")
    .example(
        json!({"after": 17}),
        [Loan { number: 18 }, Loan { number: 19 }],
    )
    .example_error_with_summary("Closed", (), 1500, ())
    .tag("loans")
    .idempotent()
}

fn library() -> Library {
    Library {
        loans: Topic::new(3),
    }
}

fn described(service: &Service, name: &str) -> ProcedureDescription {
    service
        .description()
        .procs
        .iter()
        .find(|procedure| procedure.name == name)
        .unwrap_or_else(|| panic!("{name}"))
        .clone()
}

/// Returns the numbers of all loans that a subscription yields.
async fn numbers(service: &Service, name: &str, params: serde_json::Value) -> Vec<u64> {
    service
        .subscribe::<Loan>(name, &params)
        .await
        .expect("it subscribes")
        .map(|item| item.expect("an item").value.number)
        .collect()
        .await
}

#[test]
fn a_method_is_described_as_one_would_register_it_by_hand() {
    let made = builder()
        .procedures(library().procedures())
        .build()
        .expect("it is right");
    let hand = builder()
        .state(library())
        .procedure(by_hand())
        .build()
        .expect("it is right");
    let watch = described(&made, "loan.watch");
    assert_eq!(watch, described(&hand, "loan.watch"));
    let subscription = watch.subscription.expect("it is one");
    assert_eq!(subscription.resume.as_deref(), Some("after"));
    assert_eq!(subscription.behind, Some(LagPolicy::Skip));
    assert_eq!(watch.examples.len(), 2);
}

#[test]
fn a_subscription_has_the_options_of_its_impl_but_for_those_of_results() {
    let service = builder()
        .procedures(library().procedures())
        .build()
        .expect("it is right");
    let [count, number] = ["loan.count", "loan.number"].map(|name| described(&service, name));
    assert!(count.idempotent && number.idempotent);
    assert_eq!(count.tags, ["loans"]);
    assert!(count.cache.is_none() && number.cache.is_some());
}

#[tokio::test]
async fn methods_and_functions_give_their_items_in_process() {
    let library = library();
    let loans = library.loans.clone();
    let service = builder()
        .procedures(library.procedures())
        .procedure(tell::procedure())
        .build()
        .expect("it is right");
    assert_eq!(numbers(&service, "loan.count", json!({})).await, [1, 2]);
    assert_eq!(numbers(&service, "loan.count", json!([1])).await, [1]);
    assert_eq!(numbers(&service, "loan.tell", json!([2])).await, [0, 1]);
    let refused = service.subscribe::<Loan>("loan.count", &[0]).await;
    assert_eq!(refused.expect_err("an error").code(), Some(1404));

    for number in 1..=3 {
        loans.publish(Loan { number }).expect("JSON");
    }
    drop(loans);
    let item = service
        .subscribe::<Loan>("loan.watch", &json!({"after": 2}))
        .await
        .expect("it resumes")
        .next()
        .await
        .expect("an item")
        .expect("an item");
    assert_eq!((item.value.number, item.cursor.as_deref()), (3, Some("3")));
}
