//! Alternatives: the names of their rows, and what tells them apart.

use docent_describe::schema::{Difference, Label, Union};

use super::facts::Fact;
use super::row_name::RowName;

/// A union of a row, whose alternatives have rows below.
#[derive(Clone)]
pub(crate) struct UnionNote<'t> {
    pub(crate) union: &'t Union<'t>,
    /// The names of the rows of its alternatives.
    pub(crate) labels: Vec<RowName<'t>>,
}

impl<'t> UnionNote<'t> {
    /// Names the alternatives of a union. One without a label of its own gets a number, which goes on from the
    /// `alternatives_before` of other unions of the same value.
    pub(super) fn new(union: &'t Union<'t>, alternatives_before: usize) -> Self {
        let labels = (0..union.alternatives.len())
            .map(|index| match label(union, index) {
                Some(label) => RowName::Alternative(label),
                None => RowName::NumberedAlternative(alternatives_before + index + 1),
            })
            .collect();
        Self { union, labels }
    }
}

/// Returns the label of an alternative, if there is a short one. Several values of a tag are a fact of it.
pub(crate) fn label<'t>(union: &Union<'t>, index: usize) -> Option<Label<'t>> {
    match union.label(index)? {
        Label::Values(values) if values.len() > 1 => None,
        label => Some(label),
    }
}

/// Returns the value that tells an alternative from others, unless its name is that value.
pub(super) fn tag<'t>(union: &Union<'t>, index: usize, name: &RowName<'t>) -> Option<Fact<'t>> {
    let Difference::Tag { path, values } = &union.difference else {
        return None;
    };
    match &values[index][..] {
        [] => Some(Fact::DeclaredTag(
            union.discriminator?.property,
            union.declared_tag(&union.alternatives[index])?,
        )),
        values if *name == RowName::Alternative(Label::Values(values.to_vec())) => None,
        values => Some(Fact::Tag(path.clone(), values.to_vec())),
    }
}
