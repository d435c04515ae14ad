//! Runs the store's statements, and converts values.
//!
//! The store speaks of `?1`, of numbers and texts; PostgreSQL's own placeholders and types are known only here.

use std::borrow::Cow;
use std::error::Error as StdError;

use bytes::BytesMut;
use deadpool_postgres::ClientWrapper;
use pollster::block_on;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Row, Statement};

use super::DIALECT;
use super::connection::{ANSWER_TIMEOUT, in_time};
use crate::store::db::{Cells, Dialect, Read, Statements};
use crate::store::error::{Error, Result};
use crate::store::value::{Cell, Value};

/// A connection on which a transaction has begun.
impl Statements for ClientWrapper {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn query(&self, sql: &str, values: &[Value<'_>], read: &mut Read<'_>) -> Result<()> {
        let rows = block_on(in_time(ANSWER_TIMEOUT, async {
            let statement = prepare(self, sql, values).await?;
            (**self).query(&statement, &parameters(values)).await
        }))?;
        rows.iter().try_for_each(|row| read(row))
    }

    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<()> {
        block_on(in_time(ANSWER_TIMEOUT, async {
            let statement = prepare(self, sql, values).await?;
            (**self).execute(&statement, &parameters(values)).await
        }))?;
        Ok(())
    }
}

/// Prepares a statement, unless this connection has prepared it before.
async fn prepare(
    client: &ClientWrapper,
    sql: &str,
    values: &[Value<'_>],
) -> std::result::Result<Statement, tokio_postgres::Error> {
    // No statement has a question mark that is not a place for a value.
    let numbered = sql.replace('?', "$");
    let types: Vec<_> = values
        .iter()
        .map(|value| match value {
            Value::Number(_) => Type::INT8,
            Value::Text(_) => Type::TEXT,
        })
        .collect();
    client.prepare_typed_cached(&numbered, &types).await
}

fn parameters<'v>(values: &'v [Value<'_>]) -> Vec<&'v (dyn ToSql + Sync)> {
    values
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect()
}

impl Cells for Row {
    fn cell(&self, column: usize) -> Result<Cell<'_>> {
        let Some(stored) = self.columns().get(column) else {
            return Err(Error::unexpected("no such column"));
        };
        Ok(match *stored.type_() {
            Type::INT8 => match self.try_get(column)? {
                Some(number) => Cell::Number(number),
                None => Cell::Null,
            },
            Type::INT4 => match self.try_get::<_, Option<i32>>(column)? {
                Some(number) => Cell::Number(number.into()),
                None => Cell::Null,
            },
            Type::TEXT => match self.try_get::<_, Option<&str>>(column)? {
                Some(text) => Cell::Text(restored(text)),
                None => Cell::Null,
            },
            _ => return Err(Error::unexpected("not a number or a text")),
        })
    }
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Self::Number(number) => number.to_sql(kind, out),
            Self::Text(text) => text.as_deref().map(storable).to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::TEXT)
    }

    to_sql_checked!();
}

/// Stands before the letter that stands for a character PostgreSQL cannot store. It is no character
/// itself, so no text has it by right.
const NUL_MARK: char = '\u{10ffff}';

/// Returns a text without NUL, the one character that PostgreSQL cannot store.
fn storable(text: &str) -> Cow<'_, str> {
    if !text.contains(['\0', NUL_MARK]) {
        return text.into();
    }
    let mut stored = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\0' => stored.extend([NUL_MARK, '0']),
            NUL_MARK => stored.extend([NUL_MARK, NUL_MARK]),
            c => stored.push(c),
        }
    }
    stored.into()
}

/// Returns the text that `storable` was given.
fn restored(stored: &str) -> Cow<'_, str> {
    if !stored.contains(NUL_MARK) {
        return stored.into();
    }
    let mut text = String::with_capacity(stored.len());
    let mut rest = stored.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            NUL_MARK if rest.next() == Some('0') => '\0',
            c => c,
        });
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::{NUL_MARK, restored, storable};

    #[test]
    fn every_text_comes_back_as_it_was_and_is_stored_without_nul() {
        for text in [
            String::new(),
            "plain".to_owned(),
            "a\0b\0".to_owned(),
            format!("{NUL_MARK}"),
            format!("{NUL_MARK}0{NUL_MARK}{NUL_MARK}\0"),
        ] {
            let stored = storable(&text).into_owned();
            assert!(!stored.contains('\0'), "{text:?}");
            assert_eq!(restored(&stored), text);
        }
    }
}
