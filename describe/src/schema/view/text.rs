//! The values that text in a query can stand for.
//!
//! A query has only text, so the kind of a value follows from the schemas. Views have the kinds that are
//! possible; `docent-core` reads the text, where it binds queries.

use super::model::View;
use super::outline::Outline;
use crate::json::Json;
use crate::schema::kinds::Kinds;
use crate::schema::limits::MAX_CASES_OF_TEXT;

/// The kinds of values that can be written as text: scalars, and arrays of them, written by repeating a name.
#[derive(Debug, Clone, Copy)]
pub struct TextKinds {
    /// The kinds of accepted values that can be written as text.
    pub kinds: Kinds,
    /// The kinds of the elements of accepted arrays, whether or not they can be written as text.
    pub elements: Kinds,
}

impl TextKinds {
    /// Returns whether no value can be written as text.
    pub fn is_empty(&self) -> bool {
        self.kinds == Kinds::NONE
    }

    /// Returns whether each text stands for values of one kind only.
    pub fn are_told_apart(&self) -> bool {
        let scalars = match self.kinds {
            Kinds::ARRAY => self.elements & Kinds::SCALARS,
            kinds => kinds,
        };
        scalars.within(Kinds::STRING) || !scalars.meet(Kinds::STRING | Kinds::ARRAY)
    }
}

impl<'t> View<'t> {
    /// Returns the kinds of values that can be written as text.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, SchemaViews};
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let id: Json = r#"{"type": ["integer", "string"]}"#.parse()?;
    ///
    /// // The text `1` may be a number or a string.
    /// let views = SchemaViews::new(context);
    /// assert!(!views.view_of_schema(&id).text_kinds().are_told_apart());
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn text_kinds(&'t self) -> TextKinds {
        let mut elements = Kinds::NONE;
        for case in self.text_cases() {
            if case.unlisted_kinds().meet(Kinds::ARRAY) {
                elements = elements | case.element_kinds();
            }
        }
        let mut kinds = self.known_kinds() & Kinds::SCALARS;
        if elements.meet(Kinds::SCALARS) {
            kinds = kinds | Kinds::ARRAY;
        }
        TextKinds { kinds, elements }
    }

    /// Returns whether empty text means that a value is left out, because no accepted value is written like
    /// this.
    pub fn is_absent_if_empty(&'t self, is_required: bool) -> bool {
        let may_be_absent = !is_required
            || self
                .takes_null
                .unwrap_or_else(|| !self.refuses(&Json::Null));
        may_be_absent && !self.text_cases().any(Self::takes_empty_text)
    }

    /// Returns whether the empty text is a value of this combination of alternatives.
    fn takes_empty_text(&self) -> bool {
        match self.outline() {
            Outline::Listed(values) => values
                .iter()
                .any(|listed| listed.value.as_str() == Some("")),
            _ => self.kinds.meet(Kinds::STRING),
        }
    }

    /// Returns the kinds of the values other than null, or none if the values are listed.
    pub fn unlisted_kinds(&self) -> Kinds {
        if self.listed.is_some() {
            Kinds::NONE
        } else {
            self.kinds
        }
    }

    /// Returns the combinations of alternatives, for values that are written as text. Combinations that are not
    /// fully known are left out.
    pub fn text_cases(&'t self) -> impl Iterator<Item = &'t Self> {
        self.first_cases(MAX_CASES_OF_TEXT)
            .views
            .into_iter()
            .filter(|case| case.is_complete())
    }

    /// Returns the kinds of values, as far as all is known of them.
    fn known_kinds(&'t self) -> Kinds {
        Kinds::any(self.text_cases().map(Self::all_kinds))
    }

    /// Returns the kinds of elements of an array, or none if text cannot stand for one that it must
    /// have.
    fn element_kinds(&self) -> Kinds {
        let elements = self.elements();
        let mut described: Vec<_> = elements.prefix.iter().collect();
        if !elements.is_closed() {
            described.push(&elements.rest);
        }
        let mut all = Kinds::NONE;
        for (position, nodes) in (0..).zip(described) {
            let kinds = self.views.view(nodes).known_kinds();
            if elements.length.least > Some(position) && !kinds.meet(Kinds::SCALARS) {
                return Kinds::NONE;
            }
            all = all | kinds;
        }
        all
    }
}
