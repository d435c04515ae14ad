//! From the text of a query to the JSON text that a parameter accepts.

use std::borrow::Cow;

use docent_describe::json::{Decimal, Json, is_number, push_quoted};

use super::takes::Takes;

impl Takes {
    /// Whether there is any text that can be turned into what this takes.
    pub(super) fn can_be_sent(&self) -> bool {
        self.is_scalar()
            || self.array.as_ref().is_some_and(|items| {
                items.rest.is_scalar() || items.first.iter().any(Self::is_scalar)
            })
    }

    /// Whether there is any text that can be turned into an element of the list that this takes.
    pub(super) fn can_be_sent_as_list(&self) -> bool {
        self.array.as_ref().is_some_and(|items| {
            items.rest.can_be_sent() || items.first.iter().any(Self::can_be_sent)
        })
    }

    fn is_scalar(&self) -> bool {
        let scalar =
            |value: &Json| matches!(value, Json::Bool(_) | Json::Number(_) | Json::String(_));
        self.boolean || !self.numbers.is_none() || self.string || self.exact.iter().any(scalar)
    }

    /// Whether empty text means that nothing has been given.
    pub(super) fn takes_empty_for_nothing(&self, required: bool) -> bool {
        (self.null || !required) && !self.string && !self.has_exact_string("")
    }

    /// Whether several values can be given.
    pub(super) fn takes_array(&self) -> bool {
        self.array.is_some()
    }

    /// What an element of the array that this takes is.
    pub(super) fn element(&self, index: usize) -> &Self {
        self.array.as_ref().map_or(self, |items| items.at(index))
    }

    /// Writes the first of integer, number, boolean and string that fits, and says whether one did.
    pub(super) fn push_scalar(&self, params: &mut String, text: &str) -> bool {
        if is_number(text) && self.has_number(text) || self.has_boolean(text) {
            params.push_str(text);
        } else if self.string || self.has_exact_string(text) {
            push_quoted(params, text);
        } else {
            return false;
        }
        true
    }

    /// Whether a number is one that this takes, rules included.
    pub(super) fn has_number(&self, text: &str) -> bool {
        if self.numbers.admit(text) {
            return true;
        }
        let value = Decimal::new(text);
        let is = |exact: &Json| matches!(exact, Json::Number(it) if Decimal::new(it) == value);
        self.exact.iter().any(is)
    }

    fn has_boolean(&self, text: &str) -> bool {
        let is = |exact: &Json| exact.as_bool() == Some(text == "true");
        matches!(text, "true" | "false") && (self.boolean || self.exact.iter().any(is))
    }

    fn has_exact_string(&self, text: &str) -> bool {
        self.exact.iter().any(|exact| exact.as_str() == Some(text))
    }

    /// Writes what fits nothing as what it looks like most, for binding to say what is expected.
    pub(super) fn push_misfit(&self, params: &mut String, text: &str) {
        let like_a_string = self.exact.iter().any(|value| value.as_str().is_some());
        if !like_a_string && (is_number(text) || matches!(text, "true" | "false")) {
            params.push_str(text);
        } else {
            push_quoted(params, text);
        }
    }

    /// Writes an array of these elements.
    pub(super) fn push_array(&self, params: &mut String, values: &[Cow<'_, str>]) {
        params.push('[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                params.push(',');
            }
            let element = self.element(index);
            if !element.push_scalar(params, value) {
                element.push_misfit(params, value);
            }
        }
        params.push(']');
    }
}
