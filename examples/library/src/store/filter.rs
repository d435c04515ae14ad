//! The conditions of a list, as SQL.
//!
//! A statement consists of fixed pieces of text (`&'static str`, so nothing else compiles), and all
//! values from callers are bound. A condition that a caller omits is not in the statement, so
//! SQLite can choose an index for the others.

use rusqlite::{CachedStatement, Params, Row, ToSql, Transaction, params_from_iter};

use super::error::Result;
use crate::model::PageInfo;

/// Conditions that must all be true.
pub(super) struct Filter<'a> {
    from: &'static str,
    conditions: Vec<&'static str>,
    values: Vec<Box<dyn ToSql + 'a>>,
}

impl<'a> Filter<'a> {
    /// Creates a filter without conditions on the rows of `from`.
    pub(super) fn on(from: &'static str) -> Self {
        Self {
            from,
            conditions: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds a condition without a value.
    pub(super) fn and(&mut self, condition: &'static str) {
        self.conditions.push(condition);
    }

    /// Adds a condition that binds `value` to its question mark.
    pub(super) fn and_with(&mut self, condition: &'static str, value: impl ToSql + 'a) {
        self.conditions.push(condition);
        self.values.push(Box::new(value));
    }

    /// Adds a condition that binds `value` to its question mark, if there is a value.
    pub(super) fn and_if(&mut self, condition: &'static str, value: Option<impl ToSql + 'a>) {
        if let Some(value) = value {
            self.and_with(condition, value);
        }
    }

    /// Returns one page of the rows that match, and the position of the page among all matches.
    pub(super) fn page<T>(
        &self,
        db: &Transaction<'_>,
        columns: &'static str,
        order: &'static str,
        (offset, limit): (u32, u32),
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<(PageInfo, Vec<T>)> {
        let total = self
            .prepare(db, "count(*)", "")?
            .query_row(self.bound(&[]), |row| row.get(0))?;
        let tail = format!("ORDER BY {order} LIMIT ? OFFSET ?");
        let rows = self
            .prepare(db, columns, &tail)?
            .query_map(self.bound(&[&limit, &offset]), read)?
            .collect::<rusqlite::Result<_>>()?;
        Ok((PageInfo::new(total, offset, limit), rows))
    }

    fn prepare<'db>(
        &self,
        db: &'db Transaction<'_>,
        columns: &str,
        tail: &str,
    ) -> rusqlite::Result<CachedStatement<'db>> {
        let from = self.from;
        let conditions = match self.conditions.join(" AND ") {
            none if none.is_empty() => none,
            some => format!("WHERE {some}"),
        };
        db.prepare_cached(&format!("SELECT {columns} FROM {from} {conditions} {tail}"))
    }

    fn bound<'b>(&'b self, more: &'b [&'b dyn ToSql]) -> impl Params + 'b {
        let values = self.values.iter().map(|value| &**value as &dyn ToSql);
        params_from_iter(values.chain(more.iter().copied()))
    }
}
