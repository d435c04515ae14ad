//! Converts the text of a query to the JSON text that a parameter accepts.

use std::borrow::Cow;

use docent_describe::json::{Json, is_number, push_quoted};
use docent_describe::schema::Kinds;

use super::takes::{Takes, spelled};

impl Takes {
    /// Returns whether some text can be converted to an accepted value.
    pub(super) fn can_be_sent(&self) -> bool {
        self.has_scalars() || self.any_element(Self::has_scalars)
    }

    /// Returns whether some text can be converted to an element of an accepted list.
    pub(super) fn can_be_sent_as_list(&self) -> bool {
        self.any_element(Self::can_be_sent)
    }

    fn has_scalars(&self) -> bool {
        let is_scalar =
            |value: &Json| matches!(value, Json::Bool(_) | Json::Number(_) | Json::String(_));
        self.has_unlisted(Kinds::BOOLEAN | Kinds::NUMBER | Kinds::STRING)
            || self.listed().any(is_scalar)
    }

    /// Returns whether empty text stands for an absent value.
    pub(super) fn takes_empty_for_nothing(&self, required: bool) -> bool {
        (self.has(&Json::Null) || !required) && !self.has_string("")
    }

    /// Writes the text as the first of number, Boolean and string that is accepted, and returns
    /// whether one is.
    pub(super) fn push_scalar(&self, params: &mut String, text: &str) -> bool {
        let is_other = match text {
            "true" => self.has(&Json::Bool(true)),
            "false" => self.has(&Json::Bool(false)),
            _ => is_number(text) && self.has_number(text),
        };
        if is_other {
            params.push_str(text);
        } else if self.has_string(text) {
            push_quoted(params, text);
        } else {
            return false;
        }
        true
    }

    /// Writes text that is not accepted as what it resembles most, so that binding can say what is
    /// expected.
    pub(super) fn push_misfit(&self, params: &mut String, text: &str) {
        let like_a_string = self.listed().any(|value| value.as_str().is_some());
        if !like_a_string && spelled(text).is_some() {
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
