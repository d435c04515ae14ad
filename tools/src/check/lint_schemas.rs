//! Finds contradictions within schemas.
//!
//! It finds what a schema says in vain: keywords that its type excludes, bounds that leave nothing, and examples that
//! it refuses itself. What a service makes of a schema is found by calling it (`live/`).

use std::collections::HashSet;

use docent_describe::ServiceDescription;
use docent_describe::json::{Json, Pointer};
use docent_describe::pattern::Pattern;
use docent_describe::schema::{
    Condition, Kinds, Node, NodeId, NumberBounds, SchemaViews, Span, Unread, View,
};

use super::finding::{Finding, short_json, violated};
use super::rule::Rule;
use crate::inclusion::InclusionChecker;
use crate::limits::MAX_DEPTH_OF_LINT;
use crate::places::Places;

/// The names of the values of each kind, for messages.
const KIND_NAMES: [(Kinds, &str); 4] = [
    (Kinds::NUMBER, "numbers"),
    (Kinds::STRING, "strings"),
    (Kinds::ARRAY, "arrays"),
    (Kinds::OBJECT, "objects"),
];

/// Returns the contradictions in the schemas of a description.
pub(super) fn in_schemas(service: &ServiceDescription) -> Vec<Finding> {
    let views = SchemaViews::new(service);
    let mut lint = SchemaLint {
        views: &views,
        inclusion: InclusionChecker::new(&views, &views),
        places: Places::default(),
        part: String::new(),
        has_default: false,
        impossible: HashSet::new(),
        found: Vec::new(),
    };
    let mut all = Vec::new();
    for procedure in &service.procs {
        for param in &procedure.params {
            lint.has_default = param.default.is_some();
            lint.check_part(format!("parameter `{}`", param.name), &param.schema);
        }
        lint.has_default = false;
        if let Some(returns) = &procedure.returns {
            lint.check_part("result".to_owned(), &returns.schema);
        }
        if let Some(subscription) = &procedure.subscription {
            lint.check_part("item".to_owned(), &subscription.item.schema);
        }
        for error in &procedure.errors {
            if let Some(data) = &error.data {
                lint.check_part(format!("data of error {}", error.code), data);
            }
        }
        for finding in lint.found.drain(..) {
            all.push(finding.in_procedure(&procedure.name));
        }
    }
    for (name, schema) in &service.components.schemas {
        lint.check_part(format!("type `{name}`"), schema);
        lint.check_circle(schema);
    }
    all.append(&mut lint.found);
    if views.validator().is_over_budget() || lint.inclusion.is_over_budget() {
        let message = "the schemas are too large, with their examples, to judge all of them";
        all.push(Finding::new(Rule::TooLarge, message));
    }
    all
}

/// The check of the schemas of one description.
struct SchemaLint<'d> {
    views: &'d SchemaViews<'d>,
    inclusion: InclusionChecker<'d>,
    /// The places of schemas in the part of the description.
    places: Places,
    /// The part of the description, such as a parameter.
    part: String,
    /// True if the default at the root has been checked.
    has_default: bool,
    /// The alternatives that can never occur, as far as they are found.
    impossible: HashSet<NodeId>,
    found: Vec<Finding>,
}

impl<'d> SchemaLint<'d> {
    /// Checks the schema of a part of the description.
    fn check_part(&mut self, part: String, schema: &'d Json) {
        self.part = part;
        self.places = Places::default();
        let node = self.views.tree.read(schema);
        self.places.add(node, Pointer::root());
        self.check_node(node, false, MAX_DEPTH_OF_LINT);
    }

    /// Finds a shared schema that leads back to itself without a step into the value.
    fn check_circle(&mut self, schema: &'d Json) {
        let node = self.views.tree.read(schema);
        if self.views.view(&[node]).unread.contains(&Unread::Cycle) {
            self.add(Rule::Circle, node, "the schema is defined by itself");
        }
    }

    fn add(&mut self, rule: Rule, node: &Node<'_>, message: &str) {
        let part = &self.part;
        let place = match self.places.get(node).map(Pointer::as_str) {
            None | Some("") => String::new(),
            Some(at) => format!(", at {at}"),
        };
        let message = format!("{part}{place}: {message}");
        self.found.push(Finding::new(rule, message));
    }

    /// Checks a node and those inside it. With `is_part`, the node applies to the same value as the node around it,
    /// which may then describe the names that this one requires.
    fn check_node(&mut self, node: &'d Node<'d>, is_part: bool, left: usize) {
        let Some(left) = left.checked_sub(1) else {
            return;
        };
        let before = self.found.len();
        node.for_each_part(&mut |part, child| {
            self.check_node(child, part.is_of_same_value(), left);
        });
        self.check_kinds(node);
        self.check_ranges(node);
        if !is_part {
            self.check_required_names(node);
        }
        self.check_listed_values(node);
        self.check_examples(node);
        self.check_patterns(node);
        let explaining = [Rule::EmptyRange, Rule::NothingFits, Rule::ListedValue];
        let is_explained = self.found[before..]
            .iter()
            .any(|finding| explaining.contains(&finding.rule));
        if !combines(node) {
            return;
        }
        let view = self.views.view(&[node]);
        if !view.is_nothing() {
            self.check_alternatives(node, view);
        }
        let is_circle = view.unread.contains(&Unread::Cycle);
        if !is_explained && !is_part && !is_circle && self.inclusion.is_empty(node) {
            self.add(Rule::NothingFits, node, "no value satisfies the schema");
        }
    }

    /// Finds alternatives that can never occur, because the rest of the schema excludes them.
    fn check_alternatives(&mut self, node: &'d Node<'d>, view: &'d View<'d>) {
        for alternative in &view.impossible {
            if self.impossible.insert(alternative.id) {
                let reason = self.exclusion(node, view, alternative);
                let message = format!("this alternative can never occur, because {reason}");
                self.add(Rule::DeadAlternative, alternative, &message);
            }
        }
    }

    /// Returns the reason why an alternative can never occur.
    fn exclusion(&self, node: &Node<'d>, view: &'d View<'d>, alternative: &'d Node<'d>) -> String {
        let view_alone = self.views.view(&[alternative]);
        let kinds = view_alone.all_kinds();
        let outer_kinds = node.own_kinds();
        if !kinds.meet(outer_kinds) {
            return format!(
                "its type is {}, and that of the schema around it is {}",
                type_names(kinds),
                type_names(outer_kinds)
            );
        }
        for (name, property) in view_alone.properties() {
            let nodes = [view.property(name).nodes(), property.nodes()].concat();
            if property.is_refused || !nodes.is_empty() && self.views.view(&nodes).is_nothing() {
                return format!("no `{name}` satisfies both it and the schema around it");
            }
        }
        "the schema around it excludes it".to_owned()
    }

    /// Finds keywords about values that the type excludes.
    fn check_kinds(&mut self, node: &Node<'d>) {
        let Some(kinds) = node.types else {
            return;
        };
        for (kind, name) in KIND_NAMES {
            if !kinds.meet(kind)
                && let Some(lost) = names_with_verb(node.keywords_about(kind), ["applies", "apply"])
            {
                let types = type_names(kinds);
                let message = format!("{lost} to {name}, but the type is {types}");
                self.add(Rule::LostKeyword, node, &message);
            }
        }
    }

    /// Finds bounds that leave no value.
    fn check_ranges(&mut self, node: &Node<'d>) {
        if let Some(numbers) = node.numbers.as_deref() {
            let bounds = NumberBounds::from_keywords(numbers);
            if let (Some(least), Some(most)) = (bounds.least, bounds.most)
                && bounds.is_empty(node.own_kinds())
            {
                let low = format!("`{}` {}", least.keyword, least.number);
                let high = format!("`{}` {}", most.keyword, most.number);
                self.add_empty_range(node, &low, &high);
            }
        }
        if let Some(strings) = &node.strings {
            self.check_count(node, strings.length, "Length");
        }
        if let Some(arrays) = &node.arrays {
            self.check_count(node, arrays.length, "Items");
        }
        if let Some(objects) = &node.objects {
            self.check_count(node, objects.length, "Properties");
        }
    }

    /// Checks a least and a greatest number, whose keywords end in `counted`.
    fn check_count(&mut self, node: &Node<'d>, span: Span, counted: &str) {
        if let (Some(least), Some(most)) = (span.least, span.most)
            && least > most
        {
            let low = format!("`min{counted}` {least}");
            let high = format!("`max{counted}` {most}");
            self.add_empty_range(node, &low, &high);
        }
    }

    fn add_empty_range(&mut self, node: &Node<'d>, low: &str, high: &str) {
        let message = format!("{low} and {high} leave no value");
        self.add(Rule::EmptyRange, node, &message);
    }

    /// Finds required names that no property has, and those of properties that no object may have.
    fn check_required_names(&mut self, node: &'d Node<'d>) {
        let view = self.views.view(&[node]);
        let properties = view.properties();
        let required = properties
            .iter()
            .filter(|(_, property)| property.is_required);
        let refused = required
            .clone()
            .filter(|(_, property)| property.is_refused && !property.layers.is_empty())
            .map(|(name, _)| *name);
        if let Some(refused) = names_with_verb(refused, ["is", "are"]) {
            let message = format!("{refused} required, but never accepted");
            self.add(Rule::NothingFits, node, &message);
        }
        self.check_conditions(node, view);
        let others = view.other_properties();
        let is_open = !others.nodes.is_empty() || !others.patterns.is_empty();
        let is_whole = view.is_complete() && view.is_of_each_value();
        let is_described = properties
            .values()
            .any(|property| !property.layers.is_empty());
        if is_open || !is_whole || !is_described {
            return;
        }
        let missing = required
            .filter(|(name, property)| property.layers.is_empty() && !view.describes(name))
            .map(|(name, _)| *name);
        if let Some(missing) = names_with_verb(missing, ["is", "are"]) {
            let message = format!("{missing} required, but no property has that name");
            self.add(Rule::RequiredName, node, &message);
        }
    }

    /// Finds names that conditions require of objects that may not have them.
    fn check_conditions(&mut self, node: &Node<'d>, view: &'d View<'d>) {
        for condition in view.conditions() {
            let mut required: Vec<&str> = Vec::new();
            match condition {
                Condition::Requires(_, names) => required.extend(names),
                Condition::If(keyword) => {
                    for branch in keyword.then.iter().chain(&keyword.otherwise) {
                        required.extend(self.required_names(branch));
                    }
                }
                Condition::With(_, branch) => required.extend(self.required_names(branch)),
                Condition::Not(_) | Condition::Contains(..) => {}
            }
            required.retain(|name| view.property(name).is_refused);
            if let Some(refused) = names_with_verb(required.into_iter(), ["is", "are"]) {
                let message = format!("{refused} required under a condition, but never accepted");
                self.add(Rule::NothingFits, node, &message);
            }
        }
    }

    /// Returns the names that all objects of a node have.
    fn required_names(&self, node: &'d Node<'d>) -> impl Iterator<Item = &'d str> {
        self.views
            .view(&[node])
            .properties()
            .into_iter()
            .filter(|(_, property)| property.is_required)
            .map(|(name, _)| name)
    }

    /// Finds listed values that the node does not allow, or that are listed twice.
    fn check_listed_values(&mut self, node: &'d Node<'d>) {
        let mut known = HashSet::new();
        for value in node.listed.iter().flatten().copied() {
            if !known.insert(value) {
                let message = format!("{} is listed twice", short_json(value));
                self.add(Rule::ListedValue, node, &message);
            } else if self.breaks(node, value) {
                let keyword = if node.is_constant() {
                    "`const` is"
                } else {
                    "`enum` lists"
                };
                let value = short_json(value);
                let message =
                    format!("{keyword} {value}, which the rest of the schema does not allow");
                self.add(Rule::ListedValue, node, &message);
            }
        }
    }

    /// Finds examples and defaults that violate their schema.
    fn check_examples(&mut self, node: &'d Node<'d>) {
        for example in node.annotations.examples {
            self.check_example(Rule::BrokenExample, "example", node, example);
        }
        let is_root = self.places.get(node).is_some_and(Pointer::is_root);
        if let Some(default) = node.annotations.default
            && !(self.has_default && is_root)
        {
            self.check_example(Rule::BrokenDefault, "default", node, default);
        }
    }

    /// Checks an example or a default against the schema that it stands in.
    fn check_example(&mut self, rule: Rule, what: &str, node: &'d Node<'d>, value: &Json) {
        if self.breaks(node, value) {
            let validator = self.views.validator();
            let how = match validator.violations(node.source, value, 1).pop() {
                Some(violation) => format!(": {}", violated(&violation)),
                None => String::new(),
            };
            let message = format!("the {what} {} breaks the schema{how}", short_json(value));
            self.add(rule, node, &message);
        }
    }

    /// Returns whether a value certainly violates a schema.
    fn breaks(&self, node: &Node<'d>, value: &Json) -> bool {
        self.views.is_valid(node, value) == Some(false)
    }

    /// Finds patterns that are no regular expressions.
    fn check_patterns(&mut self, node: &Node<'d>) {
        let mut patterns = Vec::new();
        patterns.extend(node.strings.as_deref().and_then(|strings| strings.pattern));
        if let Some(objects) = &node.objects {
            patterns.extend(objects.patterns.iter().map(|(pattern, _)| *pattern));
        }
        for pattern in patterns {
            if !Pattern::is_pattern(pattern) {
                let pattern = short_json(&Json::from(pattern));
                let message = format!("the pattern {pattern} is not a regular expression");
                self.add(Rule::BrokenPattern, node, &message);
            }
        }
    }
}

/// Returns the names of the types of JSON Schema that values of these kinds have.
fn type_names(kinds: Kinds) -> String {
    kinds.type_names().collect::<Vec<_>>().join(" or ")
}

/// Lists names with a verb in the singular or the plural. Returns `None` if there are no names.
fn names_with_verb<'n>(
    names: impl Iterator<Item = &'n str>,
    [one, many]: [&str; 2],
) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { one } else { many };
    (!names.is_empty()).then(|| format!("{} {verb}", names.join(", ")))
}

/// Returns whether a node combines constraints that may exclude each other.
fn combines(node: &Node<'_>) -> bool {
    // `not: {}` rules out every value on purpose.
    if node.not.as_deref().is_some_and(Node::accepts_all) {
        return false;
    }
    let names_properties = node
        .objects
        .as_deref()
        .is_some_and(|objects| !objects.required.is_empty() && !objects.properties.is_empty());
    let has_parts = !node.all_of.is_empty() || !node.unions.is_empty() || node.not.is_some();
    let has_more = node.reference.is_some() && node.only_reference().is_none();
    names_properties || has_parts || has_more
}
