//! A service with something of everything, described from Rust types the way a framework does it.

use docent_describe::json::Json;
use docent_describe::schema::{
    ComponentsBuilder, ParamsSchema, Side, data_of, params_of, return_of,
};
use docent_describe::{
    Credential, Deprecation, ErrorDescription, Example, LagPolicy, ProcedureDescription,
    ReturnDescription, ServiceDescription, SubscriptionDescription, split_documentation,
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A book as it stands on a shelf.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Book {
    /// The title on the cover.
    title: String,
    #[serde(default)]
    pages: u32,
    binding: Binding,
    /// Books that this one cites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cites: Vec<Book>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Binding {
    Paper,
    Cloth,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Party {
    Person { name: String },
    Library { isil: String },
}

/// Finds books by words in their title.
///
/// All words have to occur:
/// - in any order,
/// - in upper or lower case.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct Find {
    /// Words of the title.
    #[schemars(length(min = 1), regex(pattern = r"\S"))]
    words: String,
    /// The maximum number of books.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 100))]
    limit: u32,
    /// Any binding, if none is given.
    binding: Option<Binding>,
    /// Has no effect any more.
    #[deprecated]
    #[serde(default, alias = "vague")]
    fuzzy: bool,
}

fn twenty() -> u32 {
    20
}

/// Adds a book.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct Add {
    book: Book,
    #[serde(flatten)]
    place: Place,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct Place {
    shelf: u8,
    position: Option<u16>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct Lend {
    title: String,
    to: Party,
    /// Seconds since 1970.
    until: i64,
}

/// Tells of each loan.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its description is of interest")]
struct WatchLoans {
    /// The number of the last loan that you know.
    after: Option<u32>,
}

/// A book that was lent.
#[derive(Serialize, JsonSchema)]
struct Loan {
    number: u32,
    book: Book,
}

/// The reason why a shelf cannot be used.
#[derive(Serialize, JsonSchema)]
struct NoShelf {
    shelves: u8,
}

/// A service under construction, as a framework would have it.
#[derive(Default)]
struct Library {
    service: ServiceDescription,
    components: ComponentsBuilder,
}

impl Library {
    fn procedure<P, R>(&mut self, name: &str) -> &mut ProcedureDescription
    where
        P: DeserializeOwned + JsonSchema,
        R: JsonSchema,
    {
        let schema = params_of::<P>().unwrap();
        assert_eq!(schema.warnings, [""; 0]);
        self.components.merge_params(name, &schema);
        let returns = return_of::<R>().unwrap();
        self.components
            .merge(name, Side::Output, &returns.definitions);
        self.push(name, schema, returns.returns)
    }

    fn push(
        &mut self,
        name: &str,
        schema: ParamsSchema,
        returns: ReturnDescription,
    ) -> &mut ProcedureDescription {
        let (summary, description) =
            split_documentation(schema.documentation.as_deref().unwrap_or_default());
        let mut procedure = ProcedureDescription::new(name);
        procedure.summary = summary;
        procedure.description = description;
        procedure.params = schema.params;
        procedure.by_name_only = schema.by_name_only;
        procedure.returns = Some(returns);
        self.service.procs.push(procedure);
        self.service.procs.last_mut().unwrap()
    }

    fn finish(self) -> ServiceDescription {
        let Self {
            mut service,
            components,
        } = self;
        let shared = components.finish().unwrap();
        for procedure in &mut service.procs {
            for param in &mut procedure.params {
                shared.rewrite_input(&mut param.schema);
            }
        }
        service.components = shared.components;
        service.components.publish();
        for procedure in &mut service.procs {
            procedure.publish();
        }
        service
    }
}

fn json(text: &str) -> Json {
    text.parse().unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

pub(crate) fn service() -> ServiceDescription {
    let mut library = Library::default();
    find(library.procedure::<Find, Vec<Book>>("book.find"));
    add(&mut library);
    let lend = library.procedure::<Lend, ()>("book.lend");
    lend.errors_open = true;
    let mut deprecation = Deprecation::default();
    deprecation.since = Some("1.3".into());
    deprecation.reason = Some("Parties are not checked.".into());
    deprecation.instead = Some("`book.reserve`".into());
    lend.deprecated = Some(deprecation);
    let sum = library.procedure::<Vec<f64>, f64>("sum");
    sum.idempotent = true;
    let mut example = Example::default();
    example.params = Some(json("[1, 2.50, 1e2]"));
    example.result = Some(json("103.50"));
    sum.examples.push(example);
    let log = library.procedure::<(), serde_json::Value>("log.flush");
    log.notification = true;
    log.returns = None;
    watch(library.procedure::<WatchLoans, Loan>("loan.watch"));
    let mut service = library.finish();
    service.name = "library".into();
    service.id = "urn:uuid:6d1f7a52-6d0c-4c9e-9a6d-3d6f2b1c0e55".into();
    service.version = Some("1.4.2-beta".into());
    service.summary = Some("Finds and lends books.".into());
    service.description = Some("Open *all* day.\n\n<b>Bring a card.</b>".into());
    service.help = Some("https://library.example/docs/".into());
    service.address = Some("https://library.example/rpc".into());
    service.enforced_formats = texts(&["date", "email"]);
    service
        .security_schemes
        .insert("card", json(r#"{"type": "http", "scheme": "bearer"}"#));
    service.extensions = [("$region".to_owned(), Json::from("north"))]
        .into_iter()
        .collect();
    service
}

fn find(find: &mut ProcedureDescription) {
    find.idempotent = true;
    find.tags = texts(&["catalogue"]);
    find.help = Some("https://library.example/docs/book.find.html".into());
    let mut hits = example("Two hits", r#"{"words": "moby", "limit": 2}"#);
    hits.result = Some(json("[]"));
    let mut empty = example("Nothing to look for", r#"[""]"#);
    empty.error = Some(json(r#"{"code": -32602, "message": "Invalid params"}"#));
    find.examples = vec![hits, empty];
}

fn watch(watch: &mut ProcedureDescription) {
    watch.idempotent = true;
    let mut subscription = SubscriptionDescription::default();
    subscription.item = watch.returns.take().unwrap();
    subscription.item.description = Some("A loan, once it is made.".into());
    subscription.notification = Some("loan_made".into());
    subscription.behind = Some(LagPolicy::Skip);
    subscription.resume = Some("after".into());
    watch.subscription = Some(subscription);
    let mut closed = ErrorDescription::new(1410, "Closed for the holidays");
    closed.status = Some(410);
    watch.errors = vec![closed];
    let mut loans = example("One loan", r#"{"after": 17}"#);
    let loan =
        r#"{"number": 18, "book": {"title": "Moby-Dick", "pages": 635, "binding": "cloth"}}"#;
    loans.items = Some(vec![json(loan)]);
    watch.examples = vec![loans];
}

fn example(summary: &str, params: &str) -> Example {
    let mut example = Example::default();
    example.summary = Some(summary.into());
    example.params = Some(json(params));
    example
}

fn add(library: &mut Library) {
    let data = data_of::<NoShelf>().unwrap();
    library
        .components
        .merge("book.add", Side::Output, &data.definitions);
    let add = library.procedure::<Add, Book>("book.add");
    add.tags = texts(&["catalogue", "staff"]);
    add.guarded = true;
    let mut staff = Credential::new("card");
    staff.scopes = texts(&["staff"]);
    add.security = vec![staff.into()];
    let mut no_shelf = ErrorDescription::new(1404, "No such shelf");
    no_shelf.description = Some("Shelves are numbered from one.".into());
    no_shelf.status = Some(404);
    no_shelf.retry = Some(false);
    no_shelf.data = Some(data.schema);
    add.errors = vec![no_shelf, ErrorDescription::new(1409, "Shelf full")];
}
