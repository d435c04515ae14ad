//! `#[procedures]` and `#[procedure]`: what they register, beside what one would register by hand.

#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "helpers are tests, too, and the numbers are exact"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use docent_core::{Cx, Fault, Procedure, Procedures, Service, procedure, procedures};
use docent_describe::ProcedureDescription;
use docent_describe::json::Json;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{assert_one, builder};

/// Books found.
#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Page {
    words: Option<String>,
    limit: u32,
}

/// The shelf to look at.
#[derive(Deserialize, JsonSchema)]
struct Shelf {
    /// The room.
    room: u8,
    /// The shelf in it.
    #[serde(default)]
    number: u8,
}

#[derive(Default)]
struct Library {
    asked: AtomicU32,
}

const LONG: Duration = Duration::from_secs(3600);

#[procedures(prefix = "book", tag = "catalogue")]
impl Library {
    /// Finds books by words
    /// and number.
    ///
    /// Every condition given *must* hold.
    #[procedure(idempotent, cache_for = "60s", timeout = "1500ms", max_concurrent = 8)]
    async fn find(
        &self,
        /// Words to look for in titles and names.
        #[schemars(length(max = 200))]
        words: Option<String>,
        /// The maximum number of books to return.
        #[procedure(default = 20)]
        #[schemars(range(min = 1, max = 100))]
        mut limit: u32,
    ) -> Result<Page, Fault> {
        tokio::task::yield_now().await;
        limit += self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(Page { words, limit })
    }

    #[procedure(name = "shelf", cache_for = LONG, idempotent)]
    fn show_shelf(&self, #[params] Shelf { room, number }: Shelf) -> Result<u8, Fault> {
        Ok(room * 10 + number)
    }

    #[procedure(blocking, example(result = "book.where_am_i"))]
    fn where_am_i(&self, cx: Cx) -> Result<String, Fault> {
        Ok(self.helper(cx.procedure().name.clone()))
    }

    /// A method without the attribute is no procedure.
    fn helper(&self, text: String) -> String {
        let _ = self;
        text
    }

    #[procedure(
        deprecated = "nobody asks",
        notification,
        errors_open,
        error(code = 7, message = "Out of paper", data = Vec<String>),
        tag = "old",
        returns = "What was given.",
        example(summary = "Nothing", params = {"r#type": null}, error = 7, data = ["A4"])
    )]
    async fn print(
        &self,
        _context: Cx<()>,
        #[serde(rename = "r#type")] r#type: Option<String>,
        #[procedure(default = "A4")] paper: String,
        #[procedure(default)] copies: u8,
    ) -> Result<String, Fault> {
        Ok(format!("{type:?} {paper} {copies}"))
    }

    #[cfg(any())]
    #[procedure]
    fn never(&self, missing: Missing) -> Missing {}
}

/// The same procedures, written by hand.
fn by_hand() -> Vec<Procedure<Library>> {
    /// Finds books by words
    /// and number.
    ///
    /// Every condition given *must* hold.
    #[derive(Deserialize, JsonSchema)]
    struct FindParams {
        /// Words to look for in titles and names.
        #[schemars(length(max = 200))]
        words: Option<String>,
        /// The maximum number of books to return.
        #[serde(default = "twenty")]
        #[schemars(range(min = 1, max = 100))]
        limit: u32,
    }
    fn twenty() -> u32 {
        20
    }
    #[derive(Deserialize, JsonSchema)]
    struct PrintParams {
        #[serde(rename = "r#type")]
        _type: Option<String>,
        #[serde(default = "a4")]
        _paper: String,
        #[serde(default)]
        _copies: u8,
    }
    fn a4() -> String {
        "A4".to_owned()
    }
    let _ = PrintParams {
        _type: None,
        _paper: a4(),
        _copies: 0,
    };
    vec![
        Procedure::new("book.find", |cx: Cx<Library>, p: FindParams| async move {
            cx.state().find(p.words, p.limit).await
        })
        .idempotent()
        .cache_for(Duration::from_secs(60))
        .max_concurrent(8)
        .timeout(Duration::from_millis(1500))
        .tag("catalogue"),
        Procedure::sync("book.shelf", |cx: Cx<Library>, p: Shelf| {
            cx.state().show_shelf(p)
        })
        .cache_for(LONG)
        .idempotent()
        .tag("catalogue"),
    ]
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

fn service(procedures: Procedures) -> Service {
    builder().procedures(procedures).build().unwrap()
}

#[test]
fn methods_are_described_as_one_would_register_them_by_hand() {
    let made = service(Library::default().procedures());
    let hand = builder()
        .state(Library::default())
        .procedures(by_hand())
        .build()
        .unwrap();
    let find = described(&made, "book.find");
    assert_eq!(
        find.summary.as_deref(),
        Some("Finds books by words and number.")
    );
    assert_eq!(find, described(&hand, "book.find"));
    let by_hand = described(&hand, "book.shelf");
    assert_eq!(by_hand.summary.as_deref(), Some("The shelf to look at."));
    assert_eq!(described(&made, "book.shelf"), by_hand);
}

#[tokio::test]
async fn methods_are_called_with_the_state_that_they_share() {
    let library = Arc::new(Library::default());
    let service = service(library.shared_procedures());
    for (params, expected) in [
        (json!(["whale", 3]), json!({"words": "whale", "limit": 3})),
        (json!([]), json!({"words": null, "limit": 21})),
        (json!({"limit": 7}), json!({"words": null, "limit": 9})),
    ] {
        let found: serde_json::Value = service.call("book.find", &params).await.unwrap();
        assert_eq!(found, expected);
    }
    assert_eq!(library.asked.load(Ordering::Relaxed), 3);
    let error = service
        .call::<Page>("book.find", &(None::<u8>, 101))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Some(-32602));
    assert_eq!(service.call::<u8>("book.shelf", &[4, 2]).await.unwrap(), 42);
    let name: String = service.call("book.where_am_i", &()).await.unwrap();
    assert_eq!(name, "book.where_am_i");
    let printed: String = service
        .call("book.print", &json!({"r#type": "x"}))
        .await
        .unwrap();
    assert_eq!(printed, "Some(\"x\") A4 0");
}

#[test]
fn every_option_of_the_attribute_is_a_setter() {
    let service = service(Library::default().procedures());
    let names: Vec<_> = service
        .description()
        .procs
        .iter()
        .map(|procedure| &*procedure.name)
        .collect();
    assert!(names.starts_with(&["book.find", "book.shelf", "book.where_am_i", "book.print"]));
    let print = described(&service, "book.print");
    assert_eq!(print.tags, ["old", "catalogue"]);
    assert_eq!(
        print.deprecated.unwrap().reason.as_deref(),
        Some("nobody asks")
    );
    assert_eq!(
        print.returns.unwrap().description.as_deref(),
        Some("What was given.")
    );
    assert!(print.notification && print.errors_open);
    assert_eq!(
        (print.errors[0].code, print.errors[0].data.is_some()),
        (7, true)
    );
    assert_eq!(print.examples[0].summary.as_deref(), Some("Nothing"));
    let params: Vec<_> = print.params.iter().map(|param| &*param.name).collect();
    assert_eq!(params, ["r#type", "paper", "copies"]);
    assert_eq!(
        print.params[1].default.as_ref().unwrap().to_string(),
        r#""A4""#
    );
    assert_eq!(described(&service, "book.where_am_i").examples.len(), 1);
}

/// Methods of `Procedure` that are no options of the attribute. Doc comments, parameters and the brackets of other
/// options say the same.
const NOT_OPTIONS: [&str; 10] = [
    "alias",
    "documentation",
    "error_with_data",
    "example_error",
    "example_error_with_summary",
    "example_params",
    "example_params_with_summary",
    "example_with_summary",
    "tool_hints",
    "tool_named",
];

/// Returns the names in a list of options of the attributes.
fn options_in(list: &str) -> Vec<&'static str> {
    let source = include_str!("../../../macros/src/options.rs");
    let (_, list) = source.split_once(&format!("const {list}: ")).unwrap();
    let (list, _) = list.split_once("];").unwrap();
    list.split('"').skip(1).step_by(2).collect()
}

#[test]
fn each_setter_of_a_procedure_is_an_option_of_the_attributes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/procedure");
    let options = [options_in("COMMON_OPTIONS"), options_in("RESULT_OPTIONS")].concat();
    let mut setters = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let source = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for method in source.split("\n    pub fn ").skip(1) {
            let (head, arguments) = method.split_once('(').unwrap();
            let name = head.split('<').next().unwrap();
            let is_setter = arguments.trim_start().starts_with("self")
                || arguments.trim_start().starts_with("mut self");
            if !is_setter || name == "with_state" {
                continue;
            }
            setters += 1;
            assert!(
                options.contains(&name) || NOT_OPTIONS.contains(&name),
                "add `{name}` to COMMON_OPTIONS of macros/src/options.rs and to `options_of_procedures` of \
                 core/src/subscriptions.rs, or to RESULT_OPTIONS if it is not for subscriptions"
            );
        }
    }
    assert!(setters > 25);
}

#[test]
fn each_option_of_both_attributes_is_a_setter_of_subscriptions_and_in_the_guide() {
    let subscriptions = include_str!("../../src/subscriptions.rs");
    for option in options_in("COMMON_OPTIONS") {
        assert!(
            option == "name" || subscriptions.contains(&format!(" {option}(")),
            "core/src/subscriptions.rs has no `{option}`: add it to `options_of_procedures`"
        );
    }
    let guide = include_str!("../../../server/guide/procedures.md");
    for option in [options_in("COMMON_OPTIONS"), options_in("RESULT_OPTIONS")].concat() {
        let is_there = ["`", " = ", "("].iter().any(|end| {
            let start = format!("`{option}{end}");
            guide
                .lines()
                .any(|line| line.starts_with("| `") && line.contains(&start))
        });
        assert!(
            is_there,
            "the table of options in server/guide/procedures.md lacks `{option}`"
        );
    }
}

#[test]
fn a_procedure_of_a_list_is_changed_by_its_name() {
    let changed = Library::default()
        .procedures()
        .change("book.shelf", |shelf| {
            shelf.summary("Changed.").example([1], 10)
        });
    let shelf = described(&service(changed), "book.shelf");
    assert_eq!(
        (shelf.summary.as_deref(), shelf.examples.len()),
        (Some("Changed."), 1)
    );
    assert_one(
        builder().procedures(
            Library::default()
                .procedures()
                .change("book.fnd", |procedure| procedure),
        ),
        Some("book.find"),
        &["`change`", "\"book.fnd\"", "\"book.shelf\""],
    );
    assert_one(
        builder().procedures(Procedures::new().change("book.find", |procedure| procedure)),
        Some("book.find"),
        &["`change`", "\"book.find\"", "[]"],
    );
}

/// Rooms, all of which have options of the `impl`.
struct Rooms;

#[procedures(
    prefix = "room",
    tag = "house",
    timeout = "60s",
    idempotent,
    deprecated = "sold"
)]
impl Rooms {
    /// Counts the rooms.
    #[procedure]
    fn count(&self) -> Result<u8, Fault> {
        Ok(3)
    }

    /// Paints a room.
    #[procedure(tag = "colour", timeout = "5s", deprecated = "moved", example(params = ["red"]))]
    fn paint(&self, #[params] colour: Colour) -> Result<(), Fault> {
        let _ = colour;
        Ok(())
    }
}

/// A colour.
///
/// This text is about the type.
#[derive(Deserialize, JsonSchema)]
struct Colour {
    /// Its name.
    #[expect(dead_code, reason = "it is only described")]
    name: String,
}

#[test]
fn options_of_an_impl_hold_for_each_procedure_that_has_none_of_its_own() {
    let service = service(Rooms.procedures());
    let reason = |room: &ProcedureDescription| room.deprecated.clone().unwrap().reason.unwrap();
    let count = described(&service, "room.count");
    assert_eq!(
        (&*count.tags, &*reason(&count)),
        (&["house".to_owned()][..], "sold")
    );
    let paint = described(&service, "room.paint");
    assert!(count.idempotent && paint.idempotent);
    assert_eq!(paint.tags, ["colour", "house"]);
    assert_eq!(reason(&paint), "moved");
    assert_eq!(paint.examples[0].result, Some(Json::Null));
}

#[test]
fn the_documentation_of_a_function_replaces_that_of_its_parameters() {
    let paint = described(&service(Rooms.procedures()), "room.paint");
    assert_eq!(paint.summary.as_deref(), Some("Paints a room."));
    assert_eq!(paint.description, None);
}

/// Says what would be removed.
#[procedure(
    name = "book.remove",
    idempotent_because = "nothing is removed, it only looks"
)]
fn look(id: u32) -> Result<u32, Fault> {
    Ok(id)
}

#[test]
fn a_reason_marks_a_procedure_as_idempotent_without_a_warning() {
    let service = builder().procedure(look::procedure()).build().unwrap();
    assert_eq!(service.is_idempotent("book.remove"), Some(true));
    assert_eq!(service.warnings(), [""; 0]);
}

/// Adds two numbers.
#[procedure(idempotent, example(params = [1, 2], result = 3.0))]
fn sum(
    /// Left addend.
    a: f64,
    /// Right addend.
    b: f64,
) -> Result<f64, Fault> {
    Ok(a + b)
}

#[procedure(name = "next")]
async fn take_next(cx: Cx<AtomicU32>, step: u32) -> Result<u32, Fault> {
    Ok(cx.state().fetch_add(step, Ordering::Relaxed))
}

#[procedure]
fn protocol(context: Cx) -> Result<String, Fault> {
    Ok(context.protocol().to_string())
}

#[tokio::test]
async fn a_function_is_a_procedure_of_services_with_any_state_or_with_its_own() {
    let service = builder()
        .procedure(sum::procedure().tag("arithmetic"))
        .state(AtomicU32::new(7))
        .procedures([take_next::procedure(), protocol::procedure()])
        .build()
        .unwrap();
    assert_eq!(service.call::<f64>("sum", &[1, 2]).await.unwrap(), 3.0);
    assert_eq!(sum(1.0, 2.0).unwrap(), 3.0);
    assert_eq!(service.call::<u32>("next", &[3]).await.unwrap(), 7);
    assert_eq!(service.call::<u32>("next", &[3]).await.unwrap(), 10);
    let sum = described(&service, "sum");
    assert_eq!(sum.summary.as_deref(), Some("Adds two numbers."));
    assert_eq!(sum.params[1].description.as_deref(), Some("Right addend."));
    assert_eq!((sum.tags.len(), sum.examples.len()), (1, 1));
}

/// A name that the generated struct would have, and one of a generated function.
#[derive(Deserialize, JsonSchema)]
struct OrderParams(u8);

fn default_limit() -> u8 {
    9
}

struct Shop<T>(T);

#[procedures(fn_name = "orders")]
impl<T: Into<u8> + Clone + Send + Sync + 'static> Shop<T> {
    #[procedure]
    fn order(
        &self,
        cx: Cx,
        order: OrderParams,
        #[procedure(default = default_limit())] limit: u8,
    ) -> Result<u8, Fault> {
        drop(cx);
        Ok(order.0 + limit + self.0.clone().into())
    }
}

#[procedures(fn_name = "lists")]
impl<T: Into<u8> + Clone + Send + Sync + 'static> Shop<T> {
    #[procedure]
    async fn list(&self) -> Result<u8, Fault> {
        Ok(self.0.clone().into())
    }
}

#[tokio::test]
async fn generated_names_hide_none_that_is_used() {
    let shop = Arc::new(Shop(1_u8));
    let service = builder()
        .procedures(shop.shared_orders())
        .procedures(shop.shared_lists())
        .build()
        .unwrap();
    assert_eq!(service.call::<u8>("order", &[5]).await.unwrap(), 15);
    assert_eq!(service.call::<u8>("list", &()).await.unwrap(), 1);
}

/// A type with an item, which parameters can have.
trait Catalogue: Send + Sync + 'static {
    type Item: DeserializeOwned + JsonSchema + Into<u32> + Send + 'static;
}

struct Numbers;

impl Catalogue for Numbers {
    type Item = u8;
}

struct Warehouse<C, T> {
    _catalogue: C,
    first: T,
}

#[procedures(prefix = "stock")]
impl<C: Catalogue, T> Warehouse<C, T>
where
    T: DeserializeOwned + JsonSchema + Into<u32> + Copy + Send + Sync + 'static,
    Self: Sized,
{
    /// Sums up.
    #[procedure(idempotent)]
    async fn sum(
        &self,
        items: Vec<C::Item>,
        /// The second number.
        second: Option<T>,
        #[procedure(default = 4)] limit: u32,
        #[procedure(default = Vec::new())] more: Vec<T>,
    ) -> Result<u32, Fault> {
        let items = items.into_iter().map(Into::into);
        let more = more.into_iter().map(Into::into);
        let second = second.map_or(0, Into::into);
        Ok(self.first.into() + second + items.chain(more).sum::<u32>() + limit)
    }
}

#[tokio::test]
async fn parameters_may_have_types_that_the_impl_is_generic_over() {
    let warehouse = Warehouse {
        _catalogue: Numbers,
        first: 1_u16,
    };
    let service = builder()
        .procedures(warehouse.procedures())
        .build()
        .unwrap();
    let sum = described(&service, "stock.sum");
    let names: Vec<_> = sum
        .params
        .iter()
        .map(|param| (&*param.name, param.required))
        .collect();
    let expected = [
        ("items", true),
        ("second", false),
        ("limit", false),
        ("more", false),
    ];
    assert_eq!(names, expected);
    assert_eq!(
        sum.params[1].description.as_deref(),
        Some("The second number.")
    );
    let params = json!({"second": 2, "items": [3, 4], "more": [5]});
    assert_eq!(service.call::<u32>("stock.sum", &params).await.unwrap(), 19);
    assert_eq!(
        service
            .call::<u32>("stock.sum", &json!([[]]))
            .await
            .unwrap(),
        5
    );
    let wrong = service
        .call::<u32>("stock.sum", &json!({"items": [300]}))
        .await;
    assert_eq!(wrong.unwrap_err().code(), Some(-32602));
}
