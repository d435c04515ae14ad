//! The values that a parameter accepts, and the conversion of text to them.
//!
//! Text has no kind: `12` may be meant as a number or as a string. The schema decides, by the first
//! kind of value that it accepts. What fits nowhere is passed on as it is, and binding explains why
//! it does not fit.

use docent_describe::ParamDescription;
use docent_describe::json::{Cursor, is_number, push_quoted, unescape_lossy};
use docent_describe::schema::check::{Check, Compiler};
use docent_describe::schema::{Elements, Kinds, SchemaContext, SchemaViews, View};

use super::passed::{Argument, PassedBy};
use crate::bind::error::BindError;

/// The maximum nesting of arrays in text: a list has positions, and each may be given several
/// times.
const MAX_NESTED_ARRAYS: usize = 2;

/// The values that some schemas accept.
#[derive(Debug, Default)]
pub(super) struct AcceptedValues {
    kinds: Kinds,
    /// True if some text can be converted to an accepted value.
    pub(super) can_be_sent: bool,
    /// True if empty text stands for an absent value.
    pub(super) is_absent_if_empty: bool,
    /// True if there is a form for strings that does not list them.
    accepts_text: bool,
    /// Lists of checks. A value fits all checks of one of the lists.
    checks: Vec<Vec<Check>>,
    /// The values that the elements of an array accept.
    elements: Option<Box<AcceptedElements>>,
}

/// The values that the elements of an array accept.
#[derive(Debug)]
struct AcceptedElements {
    /// The values of the first elements, one by one.
    first: Vec<AcceptedValues>,
    /// The values of all others.
    rest: AcceptedValues,
}

impl AcceptedValues {
    /// Returns the values that a parameter accepts.
    pub(super) fn new(param: &ParamDescription, compiler: &mut Compiler<'_>) -> Self {
        let views = SchemaViews::new(SchemaContext::new(compiler.components(), Some(&[])));
        let view = views.view_of_schema(&param.schema);
        Self {
            // A list may have no values.
            is_absent_if_empty: view.is_absent_if_empty(param.required && !param.variadic),
            ..Self::of_views(&[view], compiler, MAX_NESTED_ARRAYS)
        }
    }

    /// Returns the values that any of some views accepts.
    fn of_views<'t>(views: &[&'t View<'t>], compiler: &mut Compiler<'_>, depth: usize) -> Self {
        let cases: Vec<&View<'t>> = views.iter().flat_map(|view| view.text_cases()).collect();
        Self {
            kinds: Kinds::any(cases.iter().map(|case| case.all_kinds())),
            can_be_sent: !views.iter().all(|view| view.text_kinds().is_empty()),
            is_absent_if_empty: false,
            accepts_text: cases
                .iter()
                .any(|case| case.unlisted_kinds().meet(Kinds::STRING)),
            checks: views
                .iter()
                .map(|view| {
                    view.roots
                        .iter()
                        .map(|node| compiler.compile_leniently(node.source))
                        .collect()
                })
                .collect(),
            elements: depth
                .checked_sub(1)
                .and_then(|depth| elements(&cases, compiler, depth)),
        }
    }

    /// Returns whether a value is accepted.
    pub(super) fn fits(&self, text: &str) -> bool {
        let value = Cursor::new(text);
        self.kinds.has(&value)
            && self
                .checks
                .iter()
                .any(|checks| checks.iter().all(|check| check.fits(value)))
    }

    /// Returns whether some text can be converted to an element of an accepted list.
    pub(super) fn can_be_sent_as_list(&self) -> bool {
        self.elements.as_ref().is_some_and(|elements| {
            elements.rest.can_be_sent || elements.first.iter().any(|element| element.can_be_sent)
        })
    }

    /// Returns the values that an element of an accepted array accepts.
    pub(super) fn element(&self, index: usize) -> &Self {
        match &self.elements {
            Some(elements) => elements.first.get(index).unwrap_or(&elements.rest),
            None => self,
        }
    }

    /// Writes the values that a call gives for one parameter or element.
    ///
    /// # Errors
    /// Returns an error if there are several, and one is expected.
    pub(super) fn push(
        &self,
        params: &mut String,
        way: PassedBy,
        values: &[Argument<'_>],
    ) -> Result<(), BindError> {
        match *values {
            [Argument::Json(value)] if way == PassedBy::Call => self.push_converted(params, value),
            [Argument::Json(value)] => params.push_str(value.trim()),
            [Argument::Text(text)] if self.has_one_reading() => self.push_likely(params, text),
            [Argument::Text(text)] if self.push_scalar(params, text) => {}
            _ if self.elements.is_some() => self.push_array(params, values),
            [Argument::Text(text)] => self.push_likely(params, text),
            _ => {
                return Err(BindError::new(format!(
                    "expected one value, found {}",
                    values.len()
                )));
            }
        }
        Ok(())
    }

    /// Writes an array of these elements.
    pub(super) fn push_array(&self, params: &mut String, values: &[Argument<'_>]) {
        params.push('[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                params.push(',');
            }
            let element = self.element(index);
            match value {
                Argument::Text(text) if element.push_scalar(params, text) => {}
                Argument::Text(text) => element.push_likely(params, text),
                Argument::Json(value) => params.push_str(value.trim()),
            }
        }
        params.push(']');
    }

    /// Writes a value as what the parameter accepts, if that loses nothing: a string as the number
    /// or Boolean that it spells, a number or Boolean as a string with the same text.
    fn push_converted(&self, params: &mut String, value: &str) {
        if value.starts_with('"') {
            if self.accepts_text || !self.push_scalar(params, &unescape_lossy(value)) {
                params.push_str(value);
            }
        } else if self.accepts_text && is_spelled(value) && !self.fits(value) {
            push_quoted(params, value);
        } else {
            params.push_str(value);
        }
    }

    /// Writes text as the first of number, Boolean and string that is accepted, and returns whether
    /// one is.
    fn push_scalar(&self, params: &mut String, text: &str) -> bool {
        if is_spelled(text) && self.fits(text) {
            params.push_str(text);
            return true;
        }
        let end = params.len();
        push_quoted(params, text);
        let fits = self.accepts_text || self.fits(&params[end..]);
        if !fits {
            params.truncate(end);
        }
        fits
    }

    /// Returns whether text can only be meant as one kind of value.
    fn has_one_reading(&self) -> bool {
        let is_spelled = self.kinds.meet(Kinds::NUMBER | Kinds::BOOLEAN);
        self.elements.is_none() && !(is_spelled && self.kinds.meet(Kinds::STRING))
    }

    /// Writes text as what it is most likely meant as. If that is not accepted, binding says what is
    /// expected.
    fn push_likely(&self, params: &mut String, text: &str) {
        if !self.kinds.meet(Kinds::STRING) && is_spelled(text) {
            params.push_str(text);
        } else {
            push_quoted(params, text);
        }
    }
}

/// Returns the values that the elements of arrays accept.
fn elements<'t>(
    cases: &[&'t View<'t>],
    compiler: &mut Compiler<'_>,
    depth: usize,
) -> Option<Box<AcceptedElements>> {
    let arrays: Vec<Elements<'t>> = cases
        .iter()
        .filter(|case| case.unlisted_kinds().meet(Kinds::ARRAY))
        .map(|case| case.elements())
        .collect();
    let views = cases.first()?.views;
    let length = arrays.iter().map(|elements| elements.prefix.len()).max()?;
    let mut first = Vec::with_capacity(length);
    for index in 0..length {
        first.push(AcceptedValues::of_views(
            &elements_at(&arrays, index, views),
            compiler,
            depth,
        ));
    }
    let rest = if arrays.iter().all(Elements::is_closed) {
        AcceptedValues::default()
    } else {
        AcceptedValues::of_views(&elements_at(&arrays, length, views), compiler, depth)
    };
    Some(Box::new(AcceptedElements { first, rest }))
}

/// Returns the views of the element at an index, one for each of these arrays.
fn elements_at<'t>(
    arrays: &[Elements<'t>],
    index: usize,
    views: &'t SchemaViews<'t>,
) -> Vec<&'t View<'t>> {
    arrays
        .iter()
        .map(|elements| views.view(elements.nodes_at(index)))
        .collect()
}

/// Returns whether a text spells a number or a Boolean.
fn is_spelled(text: &str) -> bool {
    matches!(text, "true" | "false") || is_number(text)
}
