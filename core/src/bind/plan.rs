//! The parameters of a procedure, in the form that every call needs.
//!
//! It is compiled once, by `build()`, from the description and the checks. A call only
//! looks things up in it.

use std::sync::Arc;

use docent_describe::ParamDescription;
use docent_describe::json::push_quoted;
use docent_describe::schema::check::Check;

use crate::fast_map::FastMap;

/// The plan for taking the parameters of a procedure. Compiled once, when the service is built.
pub(crate) struct Plan {
    pub(super) passing: ParamStructure,
    pub(super) parameters: Box<[PlannedParameter]>,
    /// The indices of the parameters, by their names and aliases.
    indices: FastMap<Arc<str>, usize>,
    /// True if unknown names are ignored.
    pub(crate) ignores_unknown: bool,
    /// The number of required parameters.
    pub(super) required: usize,
    /// The number of values that a call by position must have so that no required parameter is
    /// missing.
    pub(super) required_positions: usize,
}

/// The ways in which a procedure takes its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParamStructure {
    /// One by one, by name or by position. Also for procedures without parameters.
    Named,
    /// One by one, and only by name.
    ByNameOnly,
    /// A list of any length, by position or as a whole by its name. The plan's only parameter
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
    /// The check of the schema. It also explains why a value is rejected.
    pub(crate) check: Option<Check>,
    pub(crate) extent: CheckExtent,
}

/// The part of a schema that every value is checked against, because decoding does not enforce it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum CheckExtent {
    /// Decoding enforces the whole schema.
    Nothing,
    /// The constraints that serde leaves unchecked.
    BeyondDecoding,
    /// The type accepts more than its schema says.
    #[default]
    Everything,
}

/// Checks every value against the whole schema.
impl From<Option<Check>> for ParamCheck {
    fn from(check: Option<Check>) -> Self {
        Self {
            check,
            extent: CheckExtent::Everything,
        }
    }
}

impl Plan {
    /// Creates the plan for these parameters, in positional order, each with its check.
    pub(crate) fn new<'d>(
        parameters: impl IntoIterator<Item = (&'d ParamDescription, ParamCheck)>,
        by_name_only: bool,
    ) -> Self {
        let mut plan = Self {
            passing: if by_name_only {
                ParamStructure::ByNameOnly
            } else {
                ParamStructure::Named
            },
            parameters: Box::default(),
            indices: FastMap::default(),
            ignores_unknown: false,
            required: 0,
            required_positions: 0,
        };
        let mut planned = Vec::new();
        for (index, (parameter, check)) in parameters.into_iter().enumerate() {
            if parameter.variadic {
                plan.passing = ParamStructure::List;
            }
            if parameter.required {
                plan.required += 1;
                plan.required_positions = index + 1;
            }
            let name: Arc<str> = parameter.name.as_str().into();
            plan.indices.insert(Arc::clone(&name), index);
            for alias in &parameter.aliases {
                plan.indices.insert(alias.name.as_str().into(), index);
            }
            let mut written = String::new();
            push_quoted(&mut written, &name);
            planned.push(PlannedParameter {
                written: written.into(),
                name,
                required: parameter.required,
                check,
            });
        }
        plan.parameters = planned.into();
        plan
    }

    /// Returns the index of the parameter with this name or alias. It is found sooner at the likely index: most callers
    /// write parameters in the order of the reference.
    pub(super) fn find_near(&self, likely: usize, name: &str) -> Option<usize> {
        match self.parameters.get(likely) {
            Some(parameter) if *parameter.name == *name => Some(likely),
            _ => self.find(name).map(|(index, _)| index),
        }
    }

    /// Returns the parameter with this name or alias, and its index.
    pub(super) fn find(&self, name: &str) -> Option<(usize, &PlannedParameter)> {
        let index = *self.indices.get(name)?;
        Some((index, &self.parameters[index]))
    }
}
