//! A service with a client, whose procedures have all sorts of arguments, results and errors.

use std::borrow::Cow;
use std::time::Duration;

use docent::{
    Bearer, Caller, Cx, ErrorList, Fault, Identity, RpcError, Service, procedure, procedures,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Book {
    pub(super) title: String,
    pub(super) number: u64,
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(super) struct NewBook {
    pub(super) title: String,
    #[serde(default)]
    pub(super) keywords: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Due {
    pub(super) due: String,
}

/// A code that two error types have, with different messages.
pub(super) const SHARED: i64 = 1500;

/// Errors that another enum holds.
#[derive(Debug, PartialEq, RpcError)]
pub(super) enum StoreError {
    #[rpc(code = SHARED, message = "Store busy")]
    Busy,
    #[rpc(code = 1501)]
    Broken(Option<u8>),
}

/// The errors of the library.
#[derive(Debug, RpcError)]
pub(super) enum LibraryError {
    /// There is no book of this number.
    #[rpc(code = 1404, message = "No such book")]
    NoSuchBook {
        #[serde(rename = "bookNumber")]
        number: u64,
    },
    #[rpc(code = 1409)]
    AlreadyLent(Due),
    #[rpc(transparent)]
    Store(StoreError),
    Internal(Fault),
}

/// A result of the library: the macros take a `Result` of any name.
pub(super) type LibraryResult<T> = Result<T, LibraryError>;

pub(super) struct Library;

#[procedures(prefix = "book", tag = "catalogue")]
impl Library {
    /// Finds books.
    #[procedure(idempotent)]
    async fn find(
        &self,
        words: Option<String>,
        #[procedure(default = 20)]
        #[schemars(range(min = 1, max = 100))]
        limit: u32,
    ) -> Result<Vec<Book>, LibraryError> {
        let title = words.unwrap_or_else(|| "nothing".to_owned());
        let mut books = Vec::new();
        for number in 0..u64::from(limit) {
            books.push(Book {
                title: title.clone(),
                number,
            });
        }
        Ok(books)
    }

    /// Returns the parts of a book, and whether the call had the field `X-Tag`.
    #[procedure]
    fn add(&self, cx: Cx, #[params] book: NewBook) -> LibraryResult<(String, Vec<String>, bool)> {
        let is_tagged = cx.field("x-tag").next().is_some();
        Ok((book.title, book.keywords, is_tagged))
    }

    /// Fails with the error that `how` stands for.
    #[procedure]
    fn fail(&self, r#how: String) -> LibraryResult<()> {
        Err(match &*how {
            "missing" => LibraryError::NoSuchBook { number: u64::MAX },
            "lent" => LibraryError::AlreadyLent(Due {
                due: "2030-05-01".to_owned(),
            }),
            "store" => LibraryError::Store(StoreError::Busy),
            "broken" => LibraryError::Store(StoreError::Broken(Some(7))),
            "gone" => LibraryError::Store(StoreError::Broken(None)),
            _ => LibraryError::Internal(Fault::internal("a secret")),
        })
    }

    /// Numbers that a double cannot hold.
    #[procedure(name = "numbers")]
    fn exact(
        &self,
        a: u64,
        b: i128,
        #[serde(rename = "c c")] c: f64,
    ) -> Result<(u64, i128, f64), Fault> {
        Ok((a, b, c))
    }

    #[procedure(deprecated = "it is slow")]
    fn text(&self) -> Result<&'static str, Fault> {
        Ok("text")
    }

    #[procedure]
    fn whoami(&self, user: Option<Caller<User>>) -> Result<Option<String>, Fault> {
        Ok(user.map(|user| user.name.clone()))
    }

    #[procedure]
    fn unreadable(&self) -> Result<WrittenOnly, UnreadableError> {
        Ok(WrittenOnly { n: 1 })
    }

    #[procedure]
    async fn wait(&self) -> Result<(), Fault> {
        actix_web::rt::time::sleep(Duration::from_secs(20)).await;
        Ok(())
    }
}

/// A result that cannot be read. A client of the service compiles all the same, as long as it does not call the
/// procedure.
#[derive(Serialize, JsonSchema)]
pub(super) struct WrittenOnly {
    pub(super) n: u8,
}

/// An error that cannot be read.
pub(super) struct UnreadableError;

impl RpcError for UnreadableError {
    fn declare(_: &mut ErrorList) {}

    fn into_fault(self) -> Fault {
        Fault::internal("unreadable")
    }
}

pub(super) struct User {
    pub(super) name: String,
}

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from(&self.name)
    }
}

/// Adds two numbers.
#[procedure(idempotent)]
pub(super) fn sum(a: i64, b: i64) -> Result<i64, Fault> {
    Ok(a + b)
}

#[procedure(name = "join", errors_open)]
pub(super) async fn join_words(
    _cx: Cx,
    client: Vec<String>,
    with: Option<String>,
) -> Result<String, Fault> {
    match with {
        Some(with) => Ok(client.join(&with)),
        None => Err(Fault::new(7, "No glue").with_data(&client)),
    }
}

pub(super) fn service() -> Service {
    Service::builder("library", "urn:uuid:5f0f6f5e-0c5b-4f0f-8d3e-0c8e6d2f1b01")
        .authenticate(Bearer::sync("library", |token| {
            token.strip_prefix("token-of-").map(|name| User {
                name: name.to_owned(),
            })
        }))
        .procedures(Library.procedures())
        .procedures([sum::procedure(), join_words::procedure()])
        .build()
        .expect("the service has no mistakes")
}
