//! Converts the model's types to what a database stores and back, so that the model does not depend
//! on a database.
//!
//! Both databases store whole numbers and texts, and nothing else. A date is a text, which sorts
//! like the dates. So one set of statements serves both.

use std::borrow::Cow;

use super::error::{Error, Result};
use crate::model::{AuthorId, BookId, Card, Date, Language, LoanId, Subject};

/// A value for a statement. `None` is SQL's `NULL`.
#[derive(Debug, Clone)]
pub(super) enum Value<'a> {
    Number(Option<i64>),
    Text(Option<Cow<'a, str>>),
}

/// A value from a row.
pub(super) enum Cell<'row> {
    Null,
    Number(i64),
    Text(Cow<'row, str>),
}

/// A type that a column can hold.
pub(super) trait Column: Sized {
    /// Converts a value from a row. Fails if no statement of this program can have stored it.
    fn from_cell(cell: Cell<'_>) -> Result<Self>;
}

/// Makes the values of a statement, in order.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::store::value::Value::from($value)),*]
    };
}
pub(super) use values;

macro_rules! numbers {
    ($($name:ident),*) => {$(
        impl From<$name> for Value<'_> {
            fn from(number: $name) -> Self {
                Self::Number(Some(number.into()))
            }
        }

        impl From<Option<$name>> for Value<'_> {
            fn from(number: Option<$name>) -> Self {
                Self::Number(number.map(i64::from))
            }
        }

        impl Column for $name {
            fn from_cell(cell: Cell<'_>) -> Result<Self> {
                let Cell::Number(number) = cell else {
                    return Err(Error::unexpected("not a number"));
                };
                Self::try_from(number).map_err(|_| Error::unexpected("a number out of range"))
            }
        }
    )*};
}

numbers!(i16, u32, i64);

/// Numbers of things: stored as the number they wrap.
macro_rules! ids {
    ($($name:ident),*) => {$(
        impl From<$name> for Value<'_> {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }

        impl Column for $name {
            fn from_cell(cell: Cell<'_>) -> Result<Self> {
                Column::from_cell(cell).map(Self)
            }
        }
    )*};
}

ids!(AuthorId, BookId, LoanId);

/// Codes and names: stored as the text they wrap.
macro_rules! texts {
    ($($name:ident),*) => {$(
        impl<'a> From<&'a $name> for Value<'a> {
            fn from(text: &'a $name) -> Self {
                text.0.as_str().into()
            }
        }

        impl Column for $name {
            fn from_cell(cell: Cell<'_>) -> Result<Self> {
                Column::from_cell(cell).map(Self)
            }
        }
    )*};
}

texts!(Card, Language, Subject);

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self::Text(text.map(Cow::from))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl From<Date> for Value<'_> {
    fn from(date: Date) -> Self {
        date.to_string().into()
    }
}

impl Column for String {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        match cell {
            Cell::Text(text) => Ok(text.into_owned()),
            _ => Err(Error::unexpected("not a text")),
        }
    }
}

impl Column for Date {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        match cell {
            Cell::Text(text) => text
                .parse()
                .map_err(|_| Error::unexpected("a text that is not a date")),
            _ => Err(Error::unexpected("not a date")),
        }
    }
}

impl<T: Column> Column for Option<T> {
    fn from_cell(cell: Cell<'_>) -> Result<Self> {
        match cell {
            Cell::Null => Ok(None),
            cell => T::from_cell(cell).map(Some),
        }
    }
}
