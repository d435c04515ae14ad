//! The parameters of a procedure, in the form that every call needs.

use std::sync::{Arc, OnceLock};

use docent_describe::ParamDescription;
use docent_describe::json::push_quoted;

use super::known::Known;
use crate::marks::Marks;
use docent_describe::schema::check::Check;

/// The plan for taking the parameters of a procedure. Compiled once, when the service is built.
pub(crate) struct Plan {
    shape: ParameterShape,
    parameters: Box<[PlannedParameter]>,
    /// The indices of the parameters in the order of their names, if there are many.
    sorted: Box<[usize]>,
    /// The other names of parameters, sorted, each with the index of its parameter.
    aliases: Box<[(Box<str>, usize)]>,
    required: Marks,
    /// The number of values that a call by position must have so that no required parameter is
    /// missing.
    required_positions: usize,
    /// Created when a call first uses an unknown name.
    known: OnceLock<Known>,
}

/// The ways in which a procedure takes its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParameterShape {
    /// One by one, by name or by position. Also for procedures without parameters.
    Named,
    /// One by one, and only by name.
    ByNameOnly,
    /// As a list of any length, by position or as a whole by its name. The plan's only parameter
    /// stands for the list.
    List,
}

/// One parameter.
pub(crate) struct PlannedParameter {
    pub(super) name: Arc<str>,
    /// The name in JSON as nearly all clients write it, including quotation marks. Comparing the
    /// text with this is faster than parsing the name.
    pub(super) written: Box<str>,
    pub(super) required: bool,
    pub(super) check: ParamCheck,
}

/// The check of a parameter's JSON text.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParamCheck {
    /// The check of the schema. It also explains refusals.
    pub(crate) check: Option<Check>,
    /// Set if every value must pass the check, because decoding does not enforce all of the schema.
    pub(crate) is_needed: bool,
}

/// Uses a check for every value.
impl From<Option<Check>> for ParamCheck {
    fn from(check: Option<Check>) -> Self {
        Self {
            check,
            is_needed: true,
        }
    }
}

impl Plan {
    /// Creates the plan for these parameters, in positional order, each with its check.
    pub(crate) fn new<'d>(
        parameters: impl IntoIterator<Item = (&'d ParamDescription, ParamCheck)>,
        by_name_only: bool,
    ) -> Self {
        let mut shape = if by_name_only {
            ParameterShape::ByNameOnly
        } else {
            ParameterShape::Named
        };
        let mut required = Marks::default();
        let mut required_positions = 0;
        let mut aliases = Vec::new();
        let parameters: Box<[_]> = parameters
            .into_iter()
            .enumerate()
            .map(|(index, (parameter, check))| {
                if parameter.variadic {
                    shape = ParameterShape::List;
                }
                if parameter.required {
                    required.set(index);
                    required_positions = index + 1;
                }
                let names = parameter.aliases.iter().map(|alias| alias.name.as_str());
                aliases.extend(names.map(|alias| (alias.into(), index)));
                let mut written = String::new();
                push_quoted(&mut written, &parameter.name);
                PlannedParameter {
                    written: written.into(),
                    name: parameter.name.as_str().into(),
                    required: parameter.required,
                    check,
                }
            })
            .collect();
        aliases.sort_unstable();
        Self {
            shape,
            sorted: sorted(&parameters),
            aliases: aliases.into(),
            parameters,
            required,
            required_positions,
            known: OnceLock::new(),
        }
    }

    #[inline]
    pub(super) fn shape(&self) -> ParameterShape {
        self.shape
    }

    #[inline]
    pub(super) fn parameters(&self) -> &[PlannedParameter] {
        &self.parameters
    }

    #[inline]
    pub(super) fn required(&self) -> &Marks {
        &self.required
    }

    #[inline]
    pub(super) fn required_positions(&self) -> usize {
        self.required_positions
    }

    /// Returns the parameters that can be given by position.
    #[inline]
    pub(super) fn positions(&self) -> &[PlannedParameter] {
        match self.shape {
            ParameterShape::ByNameOnly => &[],
            ParameterShape::Named | ParameterShape::List => &self.parameters,
        }
    }

    /// Returns the parameter with this name or alias, and its index.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &PlannedParameter)> {
        let index = self.named(name).or_else(|| self.aliased(name))?;
        Some((index, &self.parameters[index]))
    }

    /// Returns the names of all parameters.
    pub(super) fn known(&self) -> &Known {
        self.known.get_or_init(|| {
            let names: Vec<_> = self.parameters.iter().map(|it| &*it.name).collect();
            Known::new(&names)
        })
    }

    fn named(&self, name: &str) -> Option<usize> {
        if self.sorted.is_empty() {
            let mut parameters = self.parameters.iter();
            return parameters.position(|parameter| *parameter.name == *name);
        }
        let name_of = |index: &usize| &*self.parameters[*index].name;
        let place = self
            .sorted
            .binary_search_by(|index| name_of(index).cmp(name));
        Some(self.sorted[place.ok()?])
    }

    fn aliased(&self, name: &str) -> Option<usize> {
        let place = self
            .aliases
            .binary_search_by(|(alias, _)| (**alias).cmp(name));
        Some(self.aliases[place.ok()?].1)
    }
}

/// Returns the sorted indices of many parameters; empty for a few, which are as fast to search one
/// by one. A procedure with many must not compare all of them with each name that a caller sends.
fn sorted(parameters: &[PlannedParameter]) -> Box<[usize]> {
    const FEW: usize = 16;
    if parameters.len() <= FEW {
        return Box::default();
    }
    let mut sorted: Vec<_> = (0..parameters.len()).collect();
    sorted.sort_unstable_by_key(|index| &*parameters[*index].name);
    sorted.into()
}
