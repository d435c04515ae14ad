//! `#[derive(RpcError)]`, and internal errors by `?`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use docent_core::{
    CallError, Cx, ErrorList, Fault, Procedure, ResultExt, RpcError, Service, ServiceBuilder,
};
use docent_describe::ErrorDescription;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::{assert_fine, assert_one, builder};

/// Happens everywhere.
#[derive(Debug, RpcError)]
enum Common {
    #[rpc(code = 1503, message = "Busy", retry = true, status = 503)]
    Busy,
    #[rpc(code = 1500, status = 500)]
    TotallyBroken,
}

#[derive(Debug, RpcError)]
enum Own {
    /// Not there.
    #[rpc(code = -7, message = "Missing", retry = false)]
    Missing(u32),
    #[rpc(code = 8)]
    Lent {
        /// The day it comes back.
        #[serde(rename = "until")]
        due: String,
        copies: BTreeMap<String, u8>,
    },
    #[rpc(transparent)]
    Common(Common),
    #[rpc(transparent)]
    Again(Wrapped<Single>),
    Internal(Fault),
}

/// One error.
#[derive(Debug, RpcError)]
#[rpc(code = 9, message = "Alone")]
struct Single {
    left: u8,
}

/// Something with an error in it, and the errors of `Common` again.
#[derive(Debug, RpcError)]
enum Wrapped<E: RpcError> {
    #[rpc(transparent)]
    Held(E),
    #[rpc(code = 1503, message = "Busy", retry = true, status = 503)]
    #[expect(dead_code, reason = "it is only declared")]
    Busy,
}

#[derive(Debug, RpcError)]
enum Never {}

fn failing<E: RpcError>(fails: fn() -> E) -> Service {
    let procedure = Procedure::sync("fails", move |_: Cx, (): ()| Err::<(), _>(fails()));
    builder().procedure(procedure).build().expect("no mistakes")
}

async fn fault_of<E: RpcError>(fails: fn() -> E) -> (i64, String, Option<serde_json::Value>) {
    match failing(fails).call::<()>("fails", &()).await {
        Err(CallError::Fault {
            code,
            message,
            data,
        }) => (code, message, data),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_enum_declares_its_own_errors_and_those_that_it_holds_each_once() {
    let service = failing(|| Own::Missing(1));
    let errors = &service.description().procs[0].errors;
    let described = |error: &ErrorDescription| {
        (
            error.code,
            error.message.clone(),
            error.data.is_some(),
            error.status,
            error.retry,
        )
    };
    assert_eq!(
        errors.iter().map(described).collect::<Vec<_>>(),
        [
            (-7, "Missing".to_owned(), true, None, Some(false)),
            (8, "Lent".to_owned(), true, None, None),
            (1503, "Busy".to_owned(), false, Some(503), Some(true)),
            (1500, "Totally broken".to_owned(), false, Some(500), None),
            (9, "Alone".to_owned(), true, None, None),
        ]
    );
    assert_eq!(errors[0].description.as_deref(), Some("Not there."));
    assert_eq!(errors[4].description.as_deref(), Some("One error."));
    let lent = errors[1]
        .data
        .as_ref()
        .map(ToString::to_string)
        .unwrap_or_default();
    assert!(
        lent.contains("\"until\"") && lent.contains("The day it comes back."),
        "{lent}"
    );
}

#[tokio::test]
async fn a_procedure_may_have_some_of_the_errors_of_its_type() {
    let fail = |_: Cx, busy: Vec<bool>| match busy.first() {
        Some(true) => Err::<(), _>(Common::Busy),
        _ => Err(Common::TotallyBroken),
    };
    let procedure = Procedure::sync("fail", fail)
        .only_errors([1503])
        .error(7, "Out of paper");
    let service = builder().procedure(procedure).build().expect("a service");
    let codes: Vec<_> = service.description().procs[0]
        .errors
        .iter()
        .map(|error| error.code)
        .collect();
    assert_eq!(codes, [1503, 7]);
    let busy = service
        .call::<()>("fail", &[true])
        .await
        .expect_err("an error");
    assert_eq!(busy.code(), Some(1503));
    let broken = service
        .call::<()>("fail", &[false])
        .await
        .expect_err("an error");
    assert_eq!(broken.code(), Some(-32603));
    assert_one(
        builder().procedure(Procedure::sync("fail", fail).only_errors([1503, 1504])),
        Some("fail"),
        &["only_errors", "1504"],
    );
}

#[tokio::test]
async fn an_error_is_sent_with_its_data() {
    let (code, message, data) = fault_of(|| Own::Missing(4)).await;
    assert_eq!((code, &*message, data), (-7, "Missing", Some(json!(4))));
    let lent = || Own::Lent {
        due: "2030-05-01".to_owned(),
        copies: BTreeMap::from([("a".to_owned(), 1)]),
    };
    let expected = json!({"until": "2030-05-01", "copies": {"a": 1}});
    assert_eq!(fault_of(lent).await.2, Some(expected));
    assert_eq!(fault_of(|| Own::from(Common::TotallyBroken)).await.0, 1500);
    let single = || Own::from(Wrapped::from(Single { left: 3 }));
    assert_eq!(
        fault_of(single).await,
        (9, "Alone".to_owned(), Some(json!({"left": 3})))
    );
    let _ = |never: Never| never.into_fault();
}

/// Data of a type that is described like that of another error with the same code.
#[derive(Debug, Serialize, JsonSchema)]
struct Other {
    left: u8,
}

#[derive(Debug, RpcError)]
enum TypeClash {
    #[rpc(transparent)]
    Single(Single),
    #[rpc(code = 9, message = "Alone", retry = false)]
    Other(Other),
}

#[test]
fn errors_with_one_code_that_differ_are_a_mistake() {
    let fails = |_: Cx, n: Vec<u8>| match n.len() {
        0 => Err::<(), _>(TypeClash::Other(Other { left: 1 })),
        _ => Err(TypeClash::Single(Single { left: 1 })),
    };
    assert_one(
        builder().procedure(Procedure::sync("fails", fails)),
        Some("fails"),
        &["9", "twice"],
    );
}

#[test]
fn an_error_type_declares_each_code_once_and_two_types_may_share_a_third() {
    /// Declares an error a second time, in the same words.
    struct ByHand;

    impl RpcError for ByHand {
        fn declare(errors: &mut ErrorList) {
            let _ = errors.add(3, "Locked");
            let _ = errors.add(3, "Locked");
        }

        fn into_fault(self) -> Fault {
            Fault::new(3, "Locked")
        }
    }

    fn code() -> i64 {
        4
    }

    /// The compiler does not know these codes.
    #[derive(RpcError)]
    #[expect(dead_code, reason = "it is only declared")]
    enum Computed {
        #[rpc(code = code(), message = "Locked")]
        First,
        #[rpc(code = code(), message = "Locked")]
        Second,
    }

    #[derive(RpcError)]
    enum Around {
        #[rpc(transparent)]
        Computed(Computed),
    }

    /// Includes two types that share `Common`.
    struct Sharing;

    impl RpcError for Sharing {
        fn declare(errors: &mut ErrorList) {
            errors.include::<Own>();
            errors.include::<Any>();
        }

        fn into_fault(self) -> Fault {
            Common::Busy.into_fault()
        }
    }

    fn failing_with<E: RpcError>() -> ServiceBuilder {
        builder().procedure(Procedure::sync("fails", |_: Cx, (): ()| Ok::<_, E>(())))
    }

    let twice = |code| format!("the error code {code} is declared twice");
    assert_one(failing_with::<ByHand>(), Some("fails"), &[&twice(3)]);
    assert_one(failing_with::<Computed>(), Some("fails"), &[&twice(4)]);
    assert_one(failing_with::<Around>(), Some("fails"), &[&twice(4)]);
    assert_fine(failing_with::<Sharing>());
    let procedure = crate::plain("fails").error(5, "Locked");
    assert_fine(builder().procedure(procedure));
    let procedure = crate::plain("fails").error(5, "Locked");
    let repeated = builder().procedure(procedure.error(5, "Locked"));
    assert_one(repeated, Some("fails"), &[&twice(5)]);
}

/// An error whose data depends on what it is generic over.
#[derive(Debug, RpcError)]
enum Taken<T: Value, O: Send + 'static> {
    #[rpc(code = 12)]
    AlreadyTaken { by: Option<T>, times: u8 },
    #[rpc(code = 13)]
    #[expect(dead_code, reason = "it is only declared")]
    NotOurs(Nobody<O>),
}

trait Value: Serialize + JsonSchema + Send + 'static {}

impl Value for String {}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "")]
struct Nobody<O> {
    #[serde(skip)]
    owner: std::marker::PhantomData<fn() -> O>,
}

#[tokio::test]
async fn named_fields_may_have_types_that_the_error_is_generic_over() {
    let taken = || Taken::<String, u8>::AlreadyTaken {
        by: Some("Ada".to_owned()),
        times: 2,
    };
    let (code, message, data) = fault_of(taken).await;
    assert_eq!((code, &*message), (12, "Already taken"));
    assert_eq!(data, Some(json!({"by": "Ada", "times": 2})));
    let service = failing(taken);
    let described = &service.description().procs[0].errors[0].data;
    let described = described.as_ref().expect("data").to_string();
    assert!(
        described.contains("times") && !described.contains("marker"),
        "{described}"
    );
}

/// An error with a source, whose text it repeats or not.
#[derive(Debug)]
struct Layer(&'static str, Option<Box<Layer>>);

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Layer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.1.as_deref().map(|source| source as _)
    }
}

#[derive(Debug, RpcError)]
enum Any {
    #[rpc(transparent)]
    Common(Common),
    #[rpc(from_any_error)]
    Internal(Fault),
}

#[test]
fn any_error_becomes_internal_by_a_question_mark() {
    fn fails(step: u8) -> Result<(), Own> {
        let shared = Mutex::new(1);
        match step {
            0 => Err("a text").internal()?,
            1 => Err(String::from("a text")).internal()?,
            2 => Err(Box::<dyn std::error::Error>::from("boxed")).internal()?,
            3 => Err(Layer("outer", Some(Box::new(Layer("inner", None))))).internal()?,
            4 => Err(Fault::new(1, "Undeclared"))?,
            _ => drop(shared.lock().internal()?),
        }
        Ok(())
    }
    for step in 0..4 {
        let fault = fails(step).expect_err("it fails").into_fault();
        assert_eq!((fault.code(), fault.data()), (-32603, None), "{step}");
    }
    assert_eq!(fails(4).expect_err("it fails").into_fault().code(), 1);
    assert!(fails(5).is_ok());
}

#[test]
fn an_enum_that_opted_in_takes_every_error_and_keeps_faults() {
    fn opted_in(step: u8) -> Result<(), Any> {
        match step {
            0 => Err(Layer("outer: inner", Some(Box::new(Layer("inner", None)))))?,
            1 => Err(Fault::new(1503, "Busy"))?,
            2 => Err(Common::Busy)?,
            _ => std::fs::metadata("/no/such/file").map(drop)?,
        }
        Ok(())
    }
    let codes: Vec<_> = (0..4)
        .map(|step| opted_in(step).map_err(|error| error.into_fault().code()))
        .collect();
    assert_eq!(codes, [Err(-32603), Err(1503), Err(1503), Err(-32603)]);
}

#[test]
fn a_service_that_cannot_be_built_prints_its_mistakes_from_main() {
    let procedure = Procedure::sync("a/b", |_: Cx, (): ()| Ok::<_, Fault>(()));
    let error = builder()
        .procedure(procedure)
        .build()
        .expect_err("a mistake");
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(
        error
            .to_string()
            .ends_with("it is one segment of an address"),
        "{error}"
    );
}
