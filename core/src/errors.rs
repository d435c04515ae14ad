//! Errors that describe themselves.
//!
//! A handler's error type declares its codes before any call, so that the description has them.
//! `derive(RpcError)` writes the implementations. What is sent is a [`Fault`], which knows nothing
//! of the type.

use std::collections::HashSet;
use std::convert::Infallible;

use docent_describe::ErrorDescription;
use docent_describe::json::Json;
use docent_describe::schema::{Definitions, SchemaProblem, data_of};
use schemars::JsonSchema;

use crate::fault::Fault;

/// A type that a handler may return as its error.
///
/// The description lists the errors that [`declare`](Self::declare) declares; a fault with any
/// other code becomes an Internal error. Derive it for an enum (or for a struct, which is one error):
///
/// ```
/// use docent::{Fault, RpcError};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[derive(Debug, Serialize, JsonSchema)]
/// struct Due {
///     due: String,
/// }
///
/// /// The errors of lending a book.
/// #[derive(Debug, RpcError)]
/// enum LoanError {
///     /// Somebody else has the book until the day in `due`.
///     #[rpc(code = 1409, message = "Already lent", status = 409, retry = true)]
///     AlreadyLent(Due),
///     #[rpc(code = 1404)]
///     NoSuchBook { book: u32 },
///     Internal(Fault),
/// }
///
/// let missing = LoanError::NoSuchBook { book: 7 }.into_fault();
/// assert_eq!(missing.to_string(), r#"No such book (1404): {"book":7}"#);
/// ```
///
/// The documentation of a variant describes the error. A variant has no data, or one value in
/// parentheses, or named fields, which are sent as an object. In `#[rpc(…)]`:
///
/// | | |
/// |---|---|
/// | `code = …` | the code, an integer outside of [`code::RESERVED`](crate::code::RESERVED) that no other variant has |
/// | `message = "…"` | the message; by default, the name of the variant in words |
/// | `status = …` | a hint for transports, 400 to 599; see [`DeclaredError::status`] |
/// | `retry = …` | whether the same call may succeed later; leave it out if that depends on the call |
/// | `transparent` | the variant holds another `RpcError` and declares its errors; `?` converts it |
/// | `from_any_error` | on `Internal(Fault)`: `?` converts every error into an internal one |
///
/// The compiler reports codes that are reserved or repeated, and invalid statuses, if they are constant.
/// `build()` reports the others.
///
/// A variant that holds a [`Fault`] needs no attribute: `?` converts a `Fault` into it, such as that of
/// [`ResultExt::internal`](crate::ResultExt::internal). Add such a variant to each enum that has internal
/// errors.
///
/// `from_any_error` implements `From` for every error type. The enum can then neither implement
/// `std::error::Error` itself nor have another `From` for a type that does.
///
/// Implement the trait yourself if codes are only known at run time:
///
/// ```
/// use docent::{Cx, ErrorList, Fault, Procedure, RpcError, Service};
///
/// struct Remote(i64);
///
/// impl RpcError for Remote {
///     fn declare(errors: &mut ErrorList) {
///         let _ = errors.add(1502, "Remote error").data::<i64>().retry(true);
///     }
///
///     fn into_fault(self) -> Fault {
///         Fault::new(1502, "Remote error").with_data(&self.0)
///     }
/// }
///
/// let service = Service::builder("relay", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c18")
///     .procedure(Procedure::sync("relay", |_: Cx, (): ()| Err::<(), _>(Remote(3))))
///     .build()?;
/// assert_eq!(service.description().procs[0].errors[0].retry, Some(true));
/// # Ok::<(), docent::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an error that a procedure can return",
    label = "does not implement `RpcError`",
    note = "derive it for an error enum of your own (`#[derive(RpcError)]`), or return a `Fault`; \
            `.internal()?` turns any other error into an internal one"
)]
pub trait RpcError: Send + 'static {
    /// Declares the errors of this type.
    fn declare(errors: &mut ErrorList);

    /// Converts the error into the fault that is sent.
    fn into_fault(self) -> Fault;
}

/// A fault declares no errors. Declare them at the procedure, with
/// [`Procedure::error`](crate::Procedure::error) or
/// [`Procedure::errors_open`](crate::Procedure::errors_open).
impl RpcError for Fault {
    fn declare(_: &mut ErrorList) {}

    fn into_fault(self) -> Fault {
        self
    }
}

/// A handler that cannot fail.
impl RpcError for Infallible {
    fn declare(_: &mut ErrorList) {}

    fn into_fault(self) -> Fault {
        match self {}
    }
}

/// The errors that a procedure declares.
#[derive(Debug, Clone, Default)]
pub struct ErrorList {
    pub(crate) errors: Vec<ListedError>,
    pub(crate) open: bool,
    /// The problems found in the types of data. `build()` reports them.
    pub(crate) problems: Vec<SchemaProblem>,
    /// The codes that an included list declares twice.
    repeated: Vec<i64>,
}

/// An error of a list.
#[derive(Debug, Clone)]
pub(crate) struct ListedError {
    pub(crate) description: ErrorDescription,
    /// The definitions that the schema of its data refers to.
    pub(crate) definitions: Definitions,
    /// Set if another list has declared it. Several lists may include the same one.
    is_included: bool,
}

impl ErrorList {
    /// Declares an error. Use the returned value to add details.
    pub fn add(&mut self, code: i64, message: &str) -> DeclaredError<'_> {
        self.errors.push(ListedError {
            description: ErrorDescription::new(code, message),
            definitions: Definitions::new(),
            is_included: false,
        });
        DeclaredError { list: self }
    }

    /// Also declares the errors of `E`, for an error type that holds it. Identical errors of several
    /// included types are listed once.
    ///
    /// ```
    /// use docent::{ErrorList, Fault, RpcError};
    ///
    /// #[derive(RpcError)]
    /// enum DatabaseError {
    ///     #[rpc(code = 1503, retry = true)]
    ///     DatabaseBusy,
    /// }
    ///
    /// struct Failure<E>(Result<E, DatabaseError>);
    ///
    /// impl<E: RpcError> RpcError for Failure<E> {
    ///     fn declare(errors: &mut ErrorList) {
    ///         errors.include::<E>();
    ///         errors.include::<DatabaseError>();
    ///     }
    ///
    ///     fn into_fault(self) -> Fault {
    ///         self.0.map_or_else(DatabaseError::into_fault, E::into_fault)
    ///     }
    /// }
    /// # let _ = Failure::<Fault>(Err(DatabaseError::DatabaseBusy)).into_fault();
    /// ```
    pub fn include<E: RpcError>(&mut self) {
        let mut errors = Self::default();
        E::declare(&mut errors);
        self.extend(&errors);
    }

    /// Adds the errors of another list.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.repeated.extend(other.repeated());
        let included = other.errors.iter().cloned().map(|error| ListedError {
            is_included: true,
            ..error
        });
        self.errors.extend(included);
        self.problems.extend_from_slice(&other.problems);
        self.open |= other.open;
    }

    /// Removes the included errors with other codes, and returns the codes that no included error has.
    pub(crate) fn retain_included(&mut self, codes: &[i64]) -> Vec<i64> {
        self.errors
            .retain(|error| !error.is_included || codes.contains(&error.description.code));
        let included: HashSet<i64> = self
            .errors
            .iter()
            .filter(|error| error.is_included)
            .map(|error| error.description.code)
            .collect();
        let mut unknown = codes.to_vec();
        unknown.retain(|code| !included.contains(code));
        unknown
    }

    /// Returns the codes that one type, guard or procedure declares twice.
    pub(crate) fn repeated(&self) -> Vec<i64> {
        let mut repeated = self.repeated.clone();
        let mut declared = HashSet::new();
        for error in self.errors.iter().filter(|error| !error.is_included) {
            if !declared.insert(error.description.code) {
                repeated.push(error.description.code);
            }
        }
        repeated
    }

    /// Returns whether several errors have this code, told apart by their messages.
    pub fn shares(&self, code: i64) -> bool {
        let mut messages = self
            .errors
            .iter()
            .map(|error| &error.description)
            .filter(|error| error.code == code)
            .map(|error| &error.message);
        let first = messages.next();
        messages.any(|other| Some(other) != first)
    }

    /// Returns the descriptions of the errors without duplicates: two procedures or enums may share one.
    pub(crate) fn distinct(&self) -> Vec<&ErrorDescription> {
        let mut distinct: Vec<&ListedError> = Vec::new();
        for error in &self.errors {
            if !distinct.iter().any(|other| other.is_like(error)) {
                distinct.push(error);
            }
        }
        distinct.iter().map(|error| &error.description).collect()
    }

    /// Declares that the procedure may return errors with any code.
    pub fn open(&mut self) {
        self.open = true;
    }
}

impl ListedError {
    /// Returns whether another error is described in the same words.
    fn is_like(&self, other: &Self) -> bool {
        self.description == other.description && self.definitions == other.definitions
    }
}

/// The error that was declared last, for adding details.
#[derive(Debug)]
pub struct DeclaredError<'a> {
    list: &'a mut ErrorList,
}

impl DeclaredError<'_> {
    /// Sets the type of the error's `data`.
    pub fn data<D: JsonSchema>(self) -> Self {
        match data_of::<D>() {
            Ok(data) => self.set(|error| {
                error.description.data = Some(data.schema);
                error.definitions = data.definitions;
            }),
            Err(problems) => {
                self.list.problems.extend(problems);
                self
            }
        }
    }

    /// Describes, in Markdown, what the error means and how to handle it.
    pub fn description(self, text: &str) -> Self {
        let text = text.trim();
        self.set(|error| {
            error.description.description = (!text.is_empty()).then(|| text.to_owned());
        })
    }

    /// Sets a status from 400 to 599 as a hint for transports. Over HTTP, responses to GET have it.
    /// Default: 500.
    pub fn status(self, status: u16) -> Self {
        self.set(|error| error.description.status = Some(status))
    }

    /// Declares whether the same call may succeed later. By default, the description leaves this
    /// open.
    pub fn retry(self, helps: bool) -> Self {
        self.set(|error| error.description.retry = Some(helps))
    }

    /// Adds an extension to the error's description. Its name must start with `$`.
    pub fn extension(self, name: &str, value: impl Into<Json>) -> Self {
        let value = value.into();
        self.set(|error| {
            error.description.extensions.insert(name.to_owned(), value);
        })
    }

    fn set(self, change: impl FnOnce(&mut ListedError)) -> Self {
        if let Some(error) = self.list.errors.last_mut() {
            change(error);
        }
        self
    }
}
