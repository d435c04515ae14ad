//! A transaction of either database.
//!
//! Statements are written once, in the SQL that both databases understand, with their values as
//! `?1`, `?2`. The few places where the two differ are in [`Dialect`].

use super::error::{Error, Result};
use super::value::{Cell, Column, Value};
use crate::model::LoanEvent;

/// A transaction.
pub(super) type Db<'a> = dyn Statements + 'a;

/// Appends an event in a transaction.
pub(super) type Append<'a> = dyn Fn(&LoanEvent) -> Result<()> + 'a;

/// A row of a result.
pub(super) type Row<'a> = dyn Cells + 'a;

/// Runs statements in a transaction.
pub(super) trait Statements {
    /// Returns how this database writes what is not written alike.
    fn dialect(&self) -> &'static Dialect;

    /// Runs a query and passes each row to `read`.
    fn query(&self, sql: &str, values: &[Value<'_>], read: &mut Read<'_>) -> Result<()>;

    /// Runs a statement without a result.
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<()>;
}

/// Reads a row.
pub(super) type Read<'a> = dyn FnMut(&Row<'_>) -> Result<()> + 'a;

/// The values of a row.
pub(super) trait Cells {
    /// Returns the value of a column, counted from 0.
    fn cell(&self, column: usize) -> Result<Cell<'_>>;
}

/// The SQL that differs between the two databases.
pub(super) struct Dialect {
    /// Returns the number for a new member, which no other member has or will get.
    pub next_member: &'static str,
    /// The numbers in the list `?1`, a JSON array, as rows of `j` with `key`, their place, and
    /// `value`.
    pub list: &'static str,
    /// The numbers in the list `?3`, as a set.
    pub third: &'static str,
    /// Adds the words of book `?1`: its titles, authors and subjects, each as `indexed` returns it.
    pub add_words: &'static str,
    /// Prepares a text for `add_words`.
    pub indexed: fn(&str) -> String,
    /// The books with their words.
    pub words: &'static str,
    /// The condition that a book has all words of the query in `?`.
    pub has_words: &'static str,
    /// The order by how well a book matches the query in `?1`: the title counts most, then the
    /// author.
    pub relevance: &'static str,
    /// Returns the words as a query for books that have all of them, or words that start so.
    pub query: fn(&[String]) -> String,
}

impl Db<'_> {
    /// Runs a query and reads every row.
    pub(super) fn all<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut all = Vec::new();
        self.query(sql, values, &mut |row| {
            all.push(read(row)?);
            Ok(())
        })?;
        Ok(all)
    }

    /// Runs a query and reads the first row, if there is one.
    pub(super) fn first<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        Ok(self.all(sql, values, read)?.into_iter().next())
    }

    /// Runs a query that always finds a row, and reads it.
    pub(super) fn row<T>(
        &self,
        sql: &str,
        values: &[Value<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.first(sql, values, read)?
            .ok_or_else(|| Error::unexpected("no row"))
    }

    /// Runs a query for one value that is always there: a count, or a new number.
    pub(super) fn one<T: Column>(&self, sql: &str, values: &[Value<'_>]) -> Result<T> {
        self.row(sql, values, |row| row.get(0))
    }

    /// Returns whether a query finds anything.
    pub(super) fn exists(&self, sql: &str, values: &[Value<'_>]) -> Result<bool> {
        Ok(self.first(sql, values, |_| Ok(()))?.is_some())
    }
}

impl Row<'_> {
    /// Reads a column, counted from 0.
    pub(super) fn get<T: Column>(&self, column: usize) -> Result<T> {
        T::from_cell(self.cell(column)?)
    }
}
