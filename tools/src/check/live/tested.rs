//! A procedure to check, and the values that its description allows.
//!
//! Two things know what a procedure takes: its schemas, and how a service of Docent reads parameters. Where they
//! disagree, or a schema cannot be decided, nothing is concluded from a call.

use docent_describe::json::{Json, Name, Object};
use docent_describe::schema::{
    Examples, FORMAT_EXTENSION, SchemaViews, Validator, View, variations,
};
use docent_describe::{Origin, ParamDescription, ProcedureDescription, ServiceDescription};

use crate::check::binding::Binding;
use crate::limits::MAX_CASES_OF_TEST;
use crate::params::{is_list, params_by_name, params_by_position, takes_names, takes_positions};

/// The number of values of a parameter that are varied.
const MAX_VARIED_VALUES: usize = 4;
/// The maximum number of valid values that are kept of a parameter, and also of other values.
const MAX_KEPT_VALUES: usize = 500;

/// A procedure with everything that its calls are made from.
pub(super) struct TestedProcedure<'d> {
    /// The description of the procedure.
    pub(super) procedure: &'d ProcedureDescription,
    /// The reading of its parameters, which the service would do in the same way.
    pub(super) binding: Box<dyn Binding + 'd>,
    /// The values to call the procedure with, by parameter.
    pub(super) pools: Vec<ValuePool>,
    /// Parameters that the description allows, if any are known.
    pub(super) usual: Option<Object>,
    /// True if the service follows Docent's contract in addition to JSON-RPC.
    pub(super) is_docent: bool,
    /// True if the procedure is a tool of a server of MCP.
    pub(super) is_mcp: bool,
}

/// Values to try for a parameter.
#[derive(Default, Clone)]
pub(super) struct ValuePool {
    /// The values that the schema accepts for certain.
    pub(super) valid: Vec<Json>,
    /// The values that violate the schema, or for which the schema cannot be decided.
    pub(super) others: Vec<Json>,
    /// The values that the schema lists.
    listed: Vec<Json>,
    /// Set if texts have a format that only the service knows, so that it may refuse some.
    has_own_format: bool,
}

impl<'d> TestedProcedure<'d> {
    pub(super) fn new(
        procedure: &'d ProcedureDescription,
        binding: impl Binding + 'd,
        service: &'d ServiceDescription,
        validator: &Validator<'d>,
    ) -> Self {
        let examples: Vec<Object> = procedure
            .examples
            .iter()
            .filter_map(|example| params_by_name(procedure, example.params.as_ref()?))
            .collect();
        let mut tested = Self {
            procedure,
            binding: Box::new(binding),
            pools: procedure
                .params
                .iter()
                .map(|param| ValuePool::new(param, &examples, service, validator))
                .collect(),
            usual: None,
            is_docent: service.origin == Origin::Docent,
            is_mcp: service.origin == Origin::Mcp,
        };
        let usual = tested.allowed_params(validator).next();
        tested.usual = usual;
        tested
    }

    /// Returns parameters that the description allows: those of examples that give a result, then generated values, for
    /// all parameters and for the required ones.
    pub(super) fn allowed_params(&self, validator: &Validator<'d>) -> impl Iterator<Item = Object> {
        let examples = self
            .procedure
            .examples
            .iter()
            .filter(|example| example.error.is_none())
            .filter_map(|example| match &example.params {
                Some(params) => params_by_name(self.procedure, params),
                None => Some(Object::new()),
            });
        let all = self.distinct();
        let required = self.required(all.clone());
        examples.chain([all, required]).filter(move |params| {
            self.by_name(params)
                .is_some_and(|params| self.allows(&params, validator) == Some(true))
        })
    }

    /// Returns the parameters with their values.
    pub(super) fn params(&self) -> impl Iterator<Item = (&'d ParamDescription, &ValuePool)> {
        self.procedure.params.iter().zip(&self.pools)
    }

    /// Returns the required ones of some parameters.
    pub(super) fn required(&self, mut params: Object) -> Object {
        params.retain(|name, _| {
            self.procedure
                .params
                .iter()
                .any(|param| param.required && param.name == name.as_str())
        });
        params
    }

    /// Returns the parameters of a call that the description allows.
    pub(super) fn usual_params(&self) -> Option<Json> {
        self.by_name(self.usual.as_ref()?)
    }

    /// Returns values for all parameters, distinct ones as far as there are enough.
    pub(super) fn distinct(&self) -> Object {
        let mut params = Object::new();
        for (param, pool) in self.params() {
            let unused = pool
                .valid
                .iter()
                .find(|value| **value != Json::Null && !params.values().any(|used| used == *value));
            if let Some(value) = unused.or(pool.valid.first()) {
                params.insert(param.name.as_str(), value.clone());
            }
        }
        params
    }

    /// Returns whether the service says that it takes something else than it describes.
    pub(super) fn is_unchecked(&self) -> bool {
        self.procedure.unchecked.is_some()
    }

    /// Returns whether the service may refuse the parameters of a call that the description allows,
    /// because a text does not have a format that only the service knows, such as a cursor of another list.
    /// `problem` is the data of its error, which usually says which parameter it is about.
    pub(super) fn may_lack_format(&self, params: Option<&Json>, problem: Option<&Json>) -> bool {
        let pointer = problem.and_then(|problem| problem.get_str("pointer"));
        if pointer.is_some_and(|pointer| !pointer.is_empty()) {
            return false;
        }
        let refused = problem.and_then(|problem| problem.get_str("parameter"));
        self.params().enumerate().any(|(position, (param, pool))| {
            let given = param.value_in(position, params);
            pool.has_own_format
                && refused.is_none_or(|refused| param.is_called(refused))
                && given.is_some_and(|value| value.as_str().is_some())
        })
    }

    /// Returns parameters by name, or by position if the procedure does not take names.
    pub(super) fn by_name(&self, params: &Object) -> Option<Json> {
        if takes_names(self.procedure) {
            Some(Json::Object(params.clone()))
        } else {
            self.by_position(params)
        }
    }

    /// Returns parameters by position, or `None` if the call cannot pass them by position.
    pub(super) fn by_position(&self, params: &Object) -> Option<Json> {
        params_by_position(self.procedure, params).filter(|_| takes_positions(self.procedure))
    }

    /// Returns whether the description allows parameters, by name or by position. Returns `None` if
    /// that cannot be decided.
    pub(super) fn allows(&self, params: &Json, validator: &Validator<'d>) -> Option<bool> {
        let accepted = self.binding.check(&params.to_string()).is_ok();
        match self.allowed_by_schemas(params, validator) {
            // Docent's own checks go beyond the schema: formats, and the names of parameters.
            Some(true) if self.is_docent && !accepted => None,
            None if self.is_docent && !accepted => Some(false),
            taken => taken,
        }
    }

    /// Returns whether the schemas allow parameters. Names count too, but only Docent promises to refuse unknown ones.
    fn allowed_by_schemas(&self, params: &Json, validator: &Validator<'d>) -> Option<bool> {
        let procedure = self.procedure;
        // Only Docent guarantees that unknown names and further positions are rejected.
        let further = self.is_docent.then_some(false);
        match params {
            // Without parameters, an empty list says no more than an empty object.
            Json::Array(values) if values.is_empty() && procedure.params.is_empty() => return None,
            Json::Array(_) if !takes_positions(procedure) => return Some(false),
            Json::Array(values) if !is_list(procedure) && values.len() > procedure.params.len() => {
                return further;
            }
            _ => {}
        }
        let given = params_by_name(procedure, params)?;
        let mut all = Some(true);
        let knows_all = given.keys().all(|name| {
            procedure
                .params
                .iter()
                .any(|param| param.is_called(name.as_str()))
        });
        if !procedure.ignores_unknown && !knows_all {
            all = further;
        }
        for param in &procedure.params {
            let mut values = given
                .iter()
                .filter(|(name, _)| param.is_called(name.as_str()));
            let taken = match (values.next(), values.next()) {
                (None, _) => Some(!param.required),
                (Some((_, value)), None) => validator.is_valid(&param.schema, value),
                (Some(_), Some(_)) => Some(false),
            };
            all = match (all, taken) {
                (Some(false), _) | (_, Some(false)) => return Some(false),
                (all, taken) => all.and(taken),
            };
        }
        all
    }
}

/// Returns whether a value has a format that JSON Schema does not define, or that the service does not
/// enforce.
fn has_own_format(case: &View<'_>) -> bool {
    let context = case.views.tree.context();
    case.formats()
        .into_iter()
        .any(|format| context.enforces(format) == Some(false))
        || case
            .nodes()
            .flat_map(|node| &node.extensions)
            .any(|(keyword, _)| *keyword == FORMAT_EXTENSION)
}

impl ValuePool {
    fn new<'d>(
        param: &'d ParamDescription,
        examples: &[Object],
        service: &'d ServiceDescription,
        validator: &Validator<'d>,
    ) -> Self {
        let views = SchemaViews::new(service);
        let view = views.view_of_schema(&param.schema);
        let cases = view.first_cases(MAX_CASES_OF_TEST).views;
        let listed = cases.iter().flat_map(|case| &case.listed).flatten();
        let mut pool = Self {
            listed: listed.map(|listed| listed.value.clone()).collect(),
            has_own_format: cases.iter().any(|case| has_own_format(case)),
            ..Self::default()
        };
        let documented = examples
            .iter()
            .filter_map(|example| example.get(&param.name));
        let generator = Examples::new(&service.components.schemas);
        // An example with optional members and elements has the most places that can vary.
        let longest = generator.value_for(view, None);
        let values = documented.chain(&param.default).cloned().chain(longest);
        let mut varied = 0;
        for value in values.chain(generator.of_each_form(view)) {
            if pool.add(&value, &param.schema, validator) && varied < MAX_VARIED_VALUES {
                varied += 1;
                for other in variations(view, &value) {
                    pool.add(&other, &param.schema, validator);
                }
            }
        }
        pool
    }

    /// Adds a value, and returns whether it satisfies the schema.
    fn add<'d>(&mut self, value: &Json, schema: &'d Json, validator: &Validator<'d>) -> bool {
        let is_valid = validator.is_valid(schema, value) == Some(true);
        let values = if is_valid {
            &mut self.valid
        } else {
            &mut self.others
        };
        if values.len() < MAX_KEPT_VALUES && !values.contains(value) {
            values.push(value.clone());
        }
        is_valid
    }

    /// Returns an outline of a value: equal for values of one kind that the schema does not list.
    pub(super) fn outline(&self, value: &Json) -> String {
        match value {
            value if self.listed.contains(value) => value.to_string(),
            Json::Bool(_) => value.to_string(),
            Json::Object(members) => members.keys().map(Name::as_str).collect(),
            value => value.kind().to_owned(),
        }
    }
}
