//! The messages that procedures declare with an error code, and the HTTP statuses of these errors, for the table of all
//! errors (`error_table`) and the page of each code (`code`).
//!
//! Procedures often declare the same error, and sometimes the same code with another message. [`messages`] groups the
//! declarations of a code by their message.

use docent_describe::{ErrorDescription, code};
use indexmap::IndexMap;

use super::scope::PageScope;
use crate::service::ServiceOptions;

/// The maximum number of different declarations that are collected of a message.
const MAX_DECLARATIONS: usize = 5;

/// The declarations of a code with one message.
#[derive(Default)]
pub(super) struct CodeMessage<'d> {
    /// The different declarations.
    pub(super) errors: Vec<&'d ErrorDescription>,
    /// The procedures that return the error.
    pub(super) procedures: Vec<usize>,
}

impl<'d> CodeMessage<'d> {
    /// Returns the value that `read` finds in the declarations, if it is the same in all of them. If there are more
    /// declarations than are collected, the others may differ, and only the pages of the procedures say the value.
    pub(super) fn agreed<T: PartialEq>(
        &self,
        read: impl Fn(&'d ErrorDescription) -> Option<T>,
    ) -> Option<T> {
        if self.errors.len() == MAX_DECLARATIONS {
            return None;
        }
        let mut values = distinct(self.errors.iter().copied().filter_map(read));
        if values.len() == 1 {
            values.pop()
        } else {
            None
        }
    }
}

/// Returns the HTTP status with POST of the errors of these procedures, if Docent serves them over HTTP.
pub(super) fn post_status(scope: &PageScope<'_>, users: &[usize]) -> Option<u16> {
    let is_served = !scope.is_foreign()
        && users.iter().any(|&index| {
            scope
                .description
                .is_called_over_http(scope.procedure(index))
        });
    // The response has the error, so the exchange has succeeded.
    is_served.then_some(200)
}

/// Returns the HTTP statuses with GET of an error of these procedures.
pub(super) fn get_statuses(scope: &PageScope<'_>, code: i64, users: &[usize]) -> Vec<u16> {
    if scope.is_foreign() {
        return Vec::new();
    }
    distinct(
        users
            .iter()
            .filter(|index| scope.service.plan.takes_get(**index))
            .map(|&index| code::get_status(code, Some(scope.procedure(index)))),
    )
}

/// Returns the declarations of a code by their messages.
pub(super) fn messages<'o>(
    options: &'o ServiceOptions,
    code: i64,
    users: &[usize],
) -> IndexMap<&'o str, CodeMessage<'o>> {
    let mut all: IndexMap<&str, CodeMessage<'_>> = IndexMap::new();
    for &user in users {
        for error in &options.description.procs[user].errors {
            if error.code != code {
                continue;
            }
            let message = all.entry(&error.message).or_default();
            if message.procedures.last() != Some(&user) {
                message.procedures.push(user);
            }
            if message.errors.len() < MAX_DECLARATIONS && !message.errors.contains(&error) {
                message.errors.push(error);
            }
        }
    }
    all
}

/// Returns each value once.
pub(super) fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}
