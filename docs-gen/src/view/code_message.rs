//! The messages that procedures declare with an error code, and the HTTP statuses of these errors.

use docent_describe::{ErrorDescription, code};
use indexmap::IndexMap;

use super::scope::PageScope;
use crate::service::ServiceOptions;

/// The maximum number of different declarations that are kept of a message.
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
    /// Returns what the declarations say of whether repeating the call can help. If they may not agree, only the pages
    /// of the procedures say it.
    pub(super) fn agreed<T: PartialEq>(
        &self,
        say: impl Fn(&'d ErrorDescription) -> Option<T>,
    ) -> Option<T> {
        let mut said = distinct(self.errors.iter().copied().filter_map(say));
        let is_agreed = said.len() == 1 && self.errors.len() < MAX_DECLARATIONS;
        said.pop().filter(|_| is_agreed)
    }
}

/// Returns the HTTP status with POST of the errors of these procedures, if Docent serves them over HTTP.
pub(super) fn post_status(scope: &PageScope<'_>, users: &[usize]) -> Option<u16> {
    let mut users = users.iter().map(|&index| scope.procedure(index));
    let is_served =
        !scope.is_foreign() && users.any(|user| scope.description.is_called_over_http(user));
    // The response has the error, so the exchange has succeeded.
    is_served.then_some(200)
}

/// Returns the HTTP statuses with GET of an error of these procedures.
pub(super) fn get_statuses(scope: &PageScope<'_>, code: i64, users: &[usize]) -> Vec<u16> {
    let plan = &scope.service.plan;
    let called = users
        .iter()
        .filter(|index| !scope.is_foreign() && plan.takes_get(**index));
    distinct(called.map(|&index| code::get_status(code, Some(scope.procedure(index)))))
}

/// Returns the declarations of a code by their messages.
pub(super) fn messages<'o>(
    options: &'o ServiceOptions,
    code: i64,
    users: &[usize],
) -> IndexMap<&'o str, CodeMessage<'o>> {
    let mut all: IndexMap<&str, CodeMessage<'_>> = IndexMap::new();
    for &user in users {
        let errors = options.description.procs[user].errors.iter();
        for error in errors.filter(|error| error.code == code) {
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
