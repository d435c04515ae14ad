//! The conditions of a list, as SQL.
//!
//! A statement consists of fixed pieces of text (`&'static str`, so nothing else compiles), and all
//! values from callers are bound. A condition that a caller omits is not in the statement, so the
//! database can choose an index for the others.

use super::db::{Db, Row};
use super::error::Result;
use super::value::Value;
use crate::model::PageInfo;

/// Conditions that must all be true.
pub(super) struct Filter<'a> {
    from: &'static str,
    conditions: Vec<String>,
    values: Vec<Value<'a>>,
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
        self.conditions.push(condition.to_owned());
    }

    /// Adds a condition that binds `value` to its question mark.
    pub(super) fn and_with(&mut self, condition: &'static str, value: impl Into<Value<'a>>) {
        self.values.push(value.into());
        let number = format!("?{}", self.values.len());
        self.conditions.push(condition.replace('?', &number));
    }

    /// Adds a condition that binds `value` to its question mark, if there is a value.
    pub(super) fn and_if(&mut self, condition: &'static str, value: Option<impl Into<Value<'a>>>) {
        if let Some(value) = value {
            self.and_with(condition, value);
        }
    }

    /// Returns one page of the rows that match, and the position of the page among all matches.
    pub(super) fn page<T>(
        &self,
        db: &Db<'_>,
        columns: &'static str,
        order: &'static str,
        (offset, limit): (u32, u32),
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<(PageInfo, Vec<T>)> {
        let total = db.one(&self.select("count(*)", ""), &self.values)?;
        let given = self.values.len();
        let tail = format!(
            "ORDER BY {order} LIMIT ?{} OFFSET ?{}",
            given + 1,
            given + 2
        );
        let place = [limit.into(), offset.into()];
        let values: Vec<_> = self.values.iter().chain(&place).cloned().collect();
        let rows = db.all(&self.select(columns, &tail), &values, read)?;
        Ok((PageInfo::new(total, offset, limit), rows))
    }

    fn select(&self, columns: &str, tail: &str) -> String {
        let from = self.from;
        let conditions = match self.conditions.join(" AND ") {
            none if none.is_empty() => none,
            some => format!("WHERE {some}"),
        };
        format!("SELECT {columns} FROM {from} {conditions} {tail}")
    }
}
