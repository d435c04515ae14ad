//! Identifiers in the languages of clients.

pub(crate) use docent_describe::identifiers::{
    IdentifierScope, pascal, snake, typescript_methods, words,
};

use super::model::Field;

/// Gives fields the names of variables in Python and Rust, of which some are reserved.
pub(crate) fn snake_fields<'m>(
    fields: &'m [Field],
    reserved: &'static [&'static str],
) -> Vec<(String, &'m Field)> {
    let mut scope = IdentifierScope::new("value", reserved);
    fields
        .iter()
        .map(|field| (scope.take(&snake(&words(&field.wire))), field))
        .collect()
}
