//! The queries that nearly all clients send: each parameter by its name, at most once, with a value
//! that fits.

use super::adapter::Adapter;
use super::form::decode;
use crate::bind::plan::{Parameter, Plan, Shape};

/// The maximum number of parameters. Procedures with more take the general way.
const FEW: usize = 8;

impl Adapter {
    /// Returns the parameters of such a query, which are written without being collected first: that
    /// costs a fifth of the general way. Returns `None` for any other query, and for one with a
    /// mistake.
    pub(in crate::bind) fn adapt_plain_query(&self, plan: &Plan, query: &str) -> Option<String> {
        let parameters = plan.parameters();
        if plan.shape() == Shape::List || parameters.len() > FEW {
            return None;
        }
        let mut values = [None; FEW];
        let mut rest = query;
        while !rest.is_empty() {
            let (pair, after) = split_at_first(rest, b'&');
            rest = after;
            if !pair.is_empty() {
                let (name, value) = split_at_first(pair, b'=');
                let given = values.get_mut(index_of(parameters, name)?)?;
                if given.replace(value).is_some() {
                    return None;
                }
            }
        }
        // Room for quotation marks and a colon for every parameter, and for quotation marks around
        // its value.
        let mut params = String::with_capacity(query.len() + 5 * parameters.len() + 2);
        params.push('{');
        for ((parameter, takes), value) in parameters.iter().zip(&self.0).zip(values) {
            match value {
                // Empty text may stand for an absent value.
                Some("") => return None,
                Some(value) => {
                    if params.len() > 1 {
                        params.push(',');
                    }
                    params.push_str(&parameter.written);
                    params.push(':');
                    if !takes.push_scalar(&mut params, &decode(value).ok()?) {
                        return None;
                    }
                }
                None if parameter.required => return None,
                None => {}
            }
        }
        params.push('}');
        Some(params)
    }
}

/// Returns the parts of a text before and after the first occurrence of an ASCII character. Without
/// one, the second part is empty.
fn split_at_first(text: &str, character: u8) -> (&str, &str) {
    let at = text.bytes().position(|byte| byte == character);
    at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]))
}

/// Returns the index of the parameter with this name. Encoded names, and names that may be
/// positions, are left to the general way.
fn index_of(parameters: &[Parameter], name: &str) -> Option<usize> {
    let may_be_position = name.as_bytes().first().is_none_or(u8::is_ascii_digit);
    if may_be_position || name.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return None;
    }
    parameters
        .iter()
        .position(|parameter| *parameter.name == *name)
}
