//! Errors that describe themselves.

use std::convert::Infallible;

use docent_describe::ErrorDescription;
use docent_describe::json::Json;
use docent_describe::schema::{Definitions, ShapeProblem, data_of};
use schemars::JsonSchema;

use crate::fault::Fault;

/// A type that a handler may return as its error.
///
/// The description lists the errors that [`declare`](Self::declare) declares; a fault with any
/// other code becomes an Internal error. [`errors!`](crate::errors) generates both from one list.
///
/// Implement it yourself for errors whose codes are only known at run time:
///
/// ```
/// use docent_core::{Cx, ErrorList, Fault, Procedure, RpcError, Service};
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
/// # Ok::<(), docent_core::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an error that a procedure can return",
    label = "does not implement `RpcError`",
    note = "declare an error enum with `errors! {{ … }}`, or return a `Fault` and declare its \
            code with `Procedure::error`"
)]
pub trait RpcError: Send + 'static {
    /// Declares the errors of this type.
    fn declare(errors: &mut ErrorList);

    /// Converts the error into the fault that is sent.
    fn into_fault(self) -> Fault;
}

/// A fault declares nothing by itself: the procedure does, with
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
    pub(crate) errors: Vec<(ErrorDescription, Definitions)>,
    pub(crate) open: bool,
    /// What is wrong with the types of data, to be reported by `build()`.
    pub(crate) problems: Vec<ShapeProblem>,
}

impl ErrorList {
    /// Declares an error. Use the returned value to add details.
    pub fn add(&mut self, code: i64, message: &str) -> DeclaredError<'_> {
        let error = ErrorDescription {
            code,
            message: message.to_owned(),
            ..Default::default()
        };
        self.errors.push((error, Definitions::new()));
        DeclaredError { list: self }
    }

    /// Declares that the procedure may return any code.
    pub fn open(&mut self) {
        self.open = true;
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
            Ok(shape) => self.set(|error, definitions| {
                error.data = Some(shape.schema);
                *definitions = shape.definitions;
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
        self.set(|error, _| error.description = (!text.is_empty()).then(|| text.to_owned()))
    }

    /// Sets a status as a hint for transports. Over HTTP, it is the status of the response to GET. The
    /// default is 500.
    pub fn status(self, status: u16) -> Self {
        self.set(|error, _| error.status = Some(status))
    }

    /// Declares whether the same call may succeed later. By default, the description does not say.
    pub fn retry(self, helps: bool) -> Self {
        self.set(|error, _| error.retry = Some(helps))
    }

    /// Adds an extension to the error's description. Its name must start with `$`.
    pub fn extension(self, name: &str, value: impl Into<Json>) -> Self {
        let value = value.into();
        self.set(|error, _| {
            error.extensions.insert(name.to_owned(), value);
        })
    }

    fn set(self, change: impl FnOnce(&mut ErrorDescription, &mut Definitions)) -> Self {
        if let Some((error, definitions)) = self.list.errors.last_mut() {
            change(error, definitions);
        }
        self
    }
}

/// Writes an error enum from one list: each variant with its code, its message, and, where it has
/// one, its data.
///
/// ```
/// # use docent_core::{Fault, errors};
/// # use schemars::JsonSchema;
/// # use serde::Serialize;
/// #[derive(Debug, Serialize, JsonSchema)]
/// struct Due {
///     due: String,
/// }
///
/// errors! {
///     /// Why a book is not lent.
///     #[derive(Debug)]
///     pub enum LoanError {
///         /// Somebody else has the book until the day in `due`.
///         AlreadyLent(Due) = 1409, "Already lent", status 409;
///         NoSuchBook = 1404, "No such book", status 404, retry false;
///         /// The database is broken.
///         Broken(Fault);
///     }
/// }
/// ```
///
/// The documentation of a variant becomes the description of the error. `status` is a hint for
/// the transport ([`DeclaredError::status`](crate::DeclaredError::status)). `retry` says whether the
/// same call may succeed when it is repeated unchanged; leave it out if that depends on the call.
/// Both are optional. A variant without a code wraps another [`RpcError`], such as a second enum or
/// a [`Fault`]: the errors of the wrapped type are declared too, and `?` converts them.
///
/// An enum takes documentation and one `derive`; codes may be negative.
#[macro_export]
macro_rules! errors {
    (
        $(#[doc = $enum_doc:literal])*
        $(#[derive($($derive:path),* $(,)?)])?
        $visibility:vis enum $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $variant:ident $(($data:ty))?
                    $(= $code:literal, $message:literal $(, $option:ident $value:literal)*)?;
            )*
        }
    ) => {
        $(#[doc = $enum_doc])*
        $(#[derive($($derive),*)])?
        $visibility enum $name {
            $(
                $(#[doc = $doc])*
                $(
                    #[doc = ""]
                    #[doc = $message]
                )?
                $variant $(($data))?,
            )*
        }

        impl $crate::RpcError for $name {
            fn declare(errors: &mut $crate::ErrorList) {
                $(
                    $crate::__declare_error!(
                        errors, concat!("" $(, $doc, "\n")*),
                        [$($data)?] [$($code, $message $(, $option $value)*)?]
                    );
                )*
            }

            fn into_fault(self) -> $crate::Fault {
                match self {
                    $(
                        $crate::__error_pattern!($variant data $(, $data)?) => {
                            $crate::__error_fault!(data, [$($data)?] [$($code, $message)?])
                        }
                    )*
                }
            }
        }

        $( $crate::__error_from!($name, $variant, [$($data)?] [$($code)?]); )*
    };
}

/// Declares one variant, or what the error that it holds declares.
#[doc(hidden)]
#[macro_export]
macro_rules! __declare_error {
    ($errors:ident, $doc:expr, [$held:ty] []) => {
        <$held as $crate::RpcError>::declare($errors)
    };
    (
        $errors:ident, $doc:expr,
        [$($data:ty)?] [$code:literal, $message:literal $(, $option:ident $value:literal)*]
    ) => {
        let declared = $errors
            .add($code, $message)
            .description($doc)
            $(.data::<$data>())?;
        $(let declared = $crate::__error_option!(declared, $option $value);)*
        let _ = declared;
    };
}

/// What follows an error's message.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_option {
    ($declared:ident, status $status:literal) => {
        $declared.status($status)
    };
    ($declared:ident, retry $helps:literal) => {
        $declared.retry($helps)
    };
}

/// The pattern of a variant with data, or of one without.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_pattern {
    ($variant:ident $binding:ident, $data:ty) => {
        Self::$variant($binding)
    };
    ($variant:ident $binding:ident) => {
        Self::$variant
    };
}

/// The fault of a variant: its own, with its data, or that of the error that it holds.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_fault {
    ($held:ident, [$type:ty] []) => {
        $crate::RpcError::into_fault($held)
    };
    ($data:ident, [$type:ty] [$code:literal, $message:literal]) => {
        $crate::Fault::new($code, $message).with_data(&$data)
    };
    ($data:ident, [] [$code:literal, $message:literal]) => {
        $crate::Fault::new($code, $message)
    };
}

/// The conversion from a wrapped error to the enum.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_from {
    ($name:ident, $variant:ident, [$held:ty] []) => {
        impl From<$held> for $name {
            fn from(held: $held) -> Self {
                Self::$variant(held)
            }
        }
    };
    ($name:ident, $variant:ident, [$($data:ty)?] [$code:literal]) => {};
}

#[cfg(test)]
mod tests {
    use super::*;

    errors! {
        /// Happens everywhere.
        #[derive(Debug)]
        enum Common {
            Busy = 1503, "Busy", retry true, status 503;
            Broken = 1500, "Broken", status 500;
        }
    }

    errors! {
        #[derive(Debug)]
        enum Own {
            /// Not there.
            Missing(u32) = -7, "Missing", retry false;
            Common(Common);
            Broken(Fault);
        }
    }

    #[test]
    fn an_enum_declares_its_own_errors_and_those_that_it_holds() {
        let mut list = ErrorList::default();
        Own::declare(&mut list);
        let declared: Vec<_> = list
            .errors
            .iter()
            .map(|(error, _)| {
                (
                    error.code,
                    error.message.as_str(),
                    error.data.is_some(),
                    error.status,
                    error.retry,
                )
            })
            .collect();
        assert_eq!(
            declared,
            [
                (-7, "Missing", true, None, Some(false)),
                (1503, "Busy", false, Some(503), Some(true)),
                (1500, "Broken", false, Some(500), None),
            ]
        );
        assert_eq!(list.errors[0].0.description.as_deref(), Some("Not there."));
    }

    #[test]
    fn what_a_variant_holds_answers_for_itself() {
        fn broken() -> Result<(), Own> {
            Err(Fault::internal("the disk is full"))?
        }
        fn busy() -> Result<(), Own> {
            Err(Common::Busy)?
        }
        let code = |result: Result<(), Own>| result.map_err(|error| error.into_fault().code());
        assert_eq!(code(broken()), Err(-32603));
        assert_eq!(code(busy()), Err(1503));
        assert_eq!(code(Err(Common::Broken.into())), Err(1500));
        let missing = Own::Missing(4).into_fault();
        assert_eq!((missing.code(), missing.data()), (-7, Some("4")));
    }
}
