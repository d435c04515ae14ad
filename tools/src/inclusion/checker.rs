//! The state of a check: what has been decided so far, and the limits on how long it may take.
//!
//! Schemas may refer to themselves, so a question may lead back to itself: whether a list of trees includes another
//! depends on whether the trees do, whose children are such lists. The inner question is assumed to hold. If another
//! rule fails for the outer one, the assumption is withdrawn, with all that was concluded from it.

use std::collections::{HashMap, HashSet};

use indexmap::IndexSet;

use super::case::Case;
use crate::limits::{
    MAX_COUNTEREXAMPLES_SIZE, MAX_DEPTH_OF_INCLUSION, MAX_STEPS_OF_INCLUSION,
    MAX_STEPS_OF_INCLUSIONS, MAX_VISITED_FOR_EXAMPLE,
};
use docent_describe::json::Json;
use docent_describe::schema::{Examples, Node, NodeId, SchemaViews, View, node_ids};

/// The result of checking whether a schema includes another.
#[derive(Debug, Clone, PartialEq)]
pub enum Inclusion {
    /// Every value of the narrower schema is a value of the wider one.
    Yes,
    /// This value of the narrower schema is not a value of the wider one.
    No(Json),
    /// It cannot be decided.
    Unknown,
}

/// Checks whether schemas of one description include schemas of another, and remembers the results.
///
/// ```
/// use docent_describe::json::Json;
/// use docent_describe::schema::{SchemaContext, SchemaViews};
/// use docent_tools::inclusion::{InclusionChecker, Inclusion};
///
/// let components = indexmap::IndexMap::new();
/// let context = SchemaContext::new(&components, Some(&[]));
/// let narrow: Json = r#"{"type": "integer", "minimum": 1}"#.parse()?;
/// let wide: Json = r#"{"type": ["number", "null"]}"#.parse()?;
///
/// let views = SchemaViews::new(context);
/// let [narrow, wide] = [&narrow, &wide].map(|schema| views.tree.read(schema));
/// let mut checker = InclusionChecker::new(&views, &views);
/// assert_eq!(checker.check(&[narrow], &[wide]), Inclusion::Yes);
/// assert_eq!(checker.check(&[wide], &[narrow]), Inclusion::No(Json::Null));
/// # Ok::<(), docent_describe::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct InclusionChecker<'t> {
    /// The schemas whose values are to be accepted.
    pub(super) narrow: &'t SchemaViews<'t>,
    /// The schemas that are to accept them.
    pub(super) wide: &'t SchemaViews<'t>,
    pub(super) examples: Examples<'t>,
    /// The results that are not yes.
    pub(super) refuted: HashMap<NodePair, Inclusion>,
    /// The questions to which the answer is yes, and those under way, which are assumed to hold. One that cannot be
    /// decided is removed, with all that were decided since, because these may rest on it.
    pub(super) proved: IndexSet<QuestionKey>,
    /// The questions that cannot be decided.
    pub(super) undecided: HashSet<QuestionKey>,
    /// The pairs of nodes that say the same, with those under way, as in `proved`.
    pub(super) same: IndexSet<(NodeId, NodeId)>,
    /// The pairs of nodes that differ.
    pub(super) different: HashSet<(NodeId, NodeId)>,
    /// The number of questions that are under way inside each other.
    pub(super) depth: usize,
    /// The number of steps for the current call of `check`.
    pub(super) steps: usize,
    /// The number of steps for all calls so far, with the schemas and values that they took.
    pub(super) total_steps: usize,
    /// The number of such steps after which nothing is decided any more.
    max_total_steps: usize,
    /// The number of values that further counterexamples may have together.
    counterexample_budget: usize,
}

/// The question whether a node of the wider side includes a value of the narrower side, to which several nodes apply.
pub(super) type QuestionKey = (Vec<NodeId>, NodeId);

/// The nodes of a value on both sides: the narrower one first.
pub(super) type NodePair = (Vec<NodeId>, Vec<NodeId>);

impl<'t> InclusionChecker<'t> {
    /// Creates a checker for the schemas whose values are to be accepted, and those that are to accept them.
    pub fn new(narrow: &'t SchemaViews<'t>, wide: &'t SchemaViews<'t>) -> Self {
        Self {
            narrow,
            wide,
            examples: Examples::of_views(narrow).at_most(MAX_VISITED_FOR_EXAMPLE),
            refuted: HashMap::new(),
            proved: IndexSet::new(),
            undecided: HashSet::new(),
            same: IndexSet::new(),
            different: HashSet::new(),
            depth: 0,
            steps: 0,
            total_steps: 0,
            max_total_steps: MAX_STEPS_OF_INCLUSIONS,
            counterexample_budget: MAX_COUNTEREXAMPLES_SIZE,
        }
    }

    /// Returns whether every value that satisfies all of `narrow` satisfies all of `wide`.
    pub fn check(&mut self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> Inclusion {
        self.steps = 0;
        self.check_inner(narrow, wide)
    }

    /// Checks inclusion as a part of another check, to whose steps it counts.
    pub(super) fn check_inner(
        &mut self,
        narrow: &[&'t Node<'t>],
        wide: &[&'t Node<'t>],
    ) -> Inclusion {
        let narrow = followed(self.narrow, narrow);
        if wide.iter().all(|wide| self.includes(&narrow, wide)) {
            return Inclusion::Yes;
        }
        let key = self.node_pair(&narrow, wide);
        if let Some(known) = self.refuted.get(&key) {
            return known.clone();
        }
        // A question that leads back to itself finds no value for itself.
        self.refuted.insert(key.clone(), Inclusion::Unknown);
        let mut inclusion = Inclusion::Unknown;
        if let Some(value) = self.counterexample(&narrow, wide)
            && let Some(left) = self.counterexample_budget.checked_sub(value.value_count())
        {
            self.counterexample_budget = left;
            inclusion = Inclusion::No(value);
        }
        if inclusion == Inclusion::Unknown && self.is_over_budget() {
            // With more steps, there may be another result.
            self.refuted.remove(&key);
        } else {
            self.refuted.insert(key, inclusion.clone());
        }
        inclusion
    }

    /// Returns whether no value satisfies a schema, as far as that can be told.
    ///
    /// ```
    /// use docent_describe::json::Json;
    /// use docent_describe::schema::{SchemaContext, SchemaViews};
    /// use docent_tools::inclusion::InclusionChecker;
    ///
    /// let components = indexmap::IndexMap::new();
    /// let context = SchemaContext::new(&components, Some(&[]));
    /// let schema: Json = r#"{"allOf": [{"minimum": 3, "type": "number"}, {"maximum": 2}]}"#.parse()?;
    ///
    /// let views = SchemaViews::new(context);
    /// let node = views.tree.read(&schema);
    /// assert!(InclusionChecker::new(&views, &views).is_empty(node));
    /// # Ok::<(), docent_describe::json::SyntaxError>(())
    /// ```
    pub fn is_empty(&mut self, node: &'t Node<'t>) -> bool {
        self.steps = 0;
        self.are_empty(&[node], &[])
    }

    /// Returns whether something was left undecided because all checks together took too long.
    pub fn is_over_budget(&self) -> bool {
        self.total_steps > self.max_total_steps
    }

    /// Returns the number of steps for all checks so far.
    pub(crate) fn spent(&self) -> usize {
        self.total_steps
    }

    /// Allows this many further steps for all checks.
    pub(crate) fn allow(&mut self, steps: usize) {
        self.max_total_steps = self.total_steps.saturating_add(steps);
    }

    /// Returns whether a value satisfies a schema of one side, and counts the schemas that this takes.
    pub(super) fn is_valid(
        &mut self,
        views: &'t SchemaViews<'t>,
        node: &'t Node<'t>,
        value: &Json,
    ) -> Option<bool> {
        let before = views.validator().spent();
        let is_valid = views.is_valid(node, value);
        self.total_steps += views.validator().spent() - before;
        is_valid
    }

    /// Returns the cases of a value, and counts them.
    pub(super) fn cases(&mut self, view: &'t View<'t>) -> Vec<Case<'t>> {
        let cases = Case::all(view);
        self.total_steps += cases.len();
        cases
    }

    /// Counts a step, and returns whether there may be more.
    pub(super) fn step(&mut self) -> bool {
        self.steps += 1;
        self.total_steps += 1;
        self.steps <= MAX_STEPS_OF_INCLUSION && !self.is_over_budget()
    }

    /// Answers a question inside another one: takes a step, one level deeper. Nothing holds that is too deep, or takes too
    /// long.
    pub(super) fn deeper(&mut self, holds: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.depth >= MAX_DEPTH_OF_INCLUSION || !self.step() {
            return false;
        }
        self.depth += 1;
        let result = holds(self);
        self.depth -= 1;
        result
    }

    /// Returns the key of a value on both sides.
    pub(super) fn node_pair(&self, narrow: &[&'t Node<'t>], wide: &[&'t Node<'t>]) -> NodePair {
        let narrow = followed(self.narrow, narrow);
        let wide = followed(self.wide, wide);
        (node_ids(&narrow), node_ids(&wide))
    }
}

/// Returns the nodes of a value, without references that ask nothing beside.
fn followed<'t>(views: &'t SchemaViews<'t>, nodes: &[&'t Node<'t>]) -> Vec<&'t Node<'t>> {
    nodes.iter().map(|node| views.tree.followed(node)).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use docent_describe::json::Json;
    use docent_describe::schema::{SchemaContext, SchemaViews};
    use indexmap::IndexMap;

    use super::InclusionChecker;
    use crate::limits::{MAX_STEPS_OF_INCLUSION, MAX_STEPS_OF_SEARCH};

    /// Returns the components of a chain, each of which `link` makes from a reference to the next and its number.
    fn chain(link: &str, last: &str) -> IndexMap<String, Json> {
        let mut components = String::from("{");
        for number in 0..100 {
            let next = format!(r##"{{"$ref": "#/components/schemas/T{}"}}"##, number + 1);
            let schema = link
                .replace("NEXT", &next)
                .replace("NUMBER", &number.to_string());
            write!(components, r#""T{number}": {schema}, "#).expect("a String");
        }
        let components = format!(r#"{components}"T100": {last}}}"#);
        let components: Json = components.parse().expect("JSON");
        components
            .as_object()
            .expect("an object")
            .iter()
            .map(|(name, schema)| (name.as_str().to_owned(), schema.clone()))
            .collect()
    }

    #[test]
    fn the_schemas_and_values_of_a_question_are_counted_and_end_its_search() {
        for link in [
            r#"{"allOf": [NEXT, {"properties": {"mNUMBER": {"type": "integer"}}}]}"#,
            r#"{"anyOf": [NEXT, {"type": "array", "items": NEXT}]}"#,
        ] {
            let old = chain(
                link,
                r#"{"type": "object", "properties": {"z": {"type": "string"}}}"#,
            );
            let new = chain(
                link,
                r#"{"type": "object", "properties": {"z": {"type": "string", "minLength": 2}}}"#,
            );
            let old = SchemaViews::new(SchemaContext::new(&old, Some(&[])));
            let new = SchemaViews::new(SchemaContext::new(&new, Some(&[])));
            let root: Json = r##"{"$ref": "#/components/schemas/T0"}"##
                .parse()
                .expect("JSON");
            let before = old.tree.read(&root);
            let after = new.tree.read(&root);
            let mut checker = InclusionChecker::new(&new, &old);
            checker.check(&[after], &[before]);
            assert!(checker.spent() > MAX_STEPS_OF_INCLUSION, "{link}");
            assert!(checker.spent() < 3 * MAX_STEPS_OF_SEARCH, "{link}");
        }
    }
}
