//! The rows of conditions: of what is asked only of some values.
//!
//! `if`, `not`, `dependentSchemas` and `contains` have rows of their own below the value, unless a phrase says all of
//! it (`facts::condition_as_fact`). A condition may speak of members whose types are said outside of it. Its rows say
//! these types too: that is the context of a `VisibleValue`.

use docent_describe::schema::{Condition, Kinds, Node, View};

use super::extent::Extent;
use super::facts::condition_as_fact;
use super::row::Row;
use super::row_name::RowName;
use super::tree::RowTree;
use super::type_phrase::TypePhrase;
use super::visible::VisibleValue;

impl<'t> RowTree<'t> {
    /// Adds the conditions of a value, and the schema of the content of a string.
    pub(super) fn add_conditions(&mut self, value: &VisibleValue<'_, 't>) {
        // Within a condition, all that is said outside of it holds too.
        let context = match value.context {
            Some(outer) => {
                let roots = [&outer.roots[..], &value.view.roots[..]].concat();
                self.views.view(&roots)
            }
            None => value.full_view,
        };
        for layer in &value.view.layers {
            if layer.from.is_some() && value.extent != Extent::All {
                continue;
            }
            for condition in layer.conditions() {
                let fact = condition_as_fact(condition, value.view.kinds);
                if fact.is_none() || value.extent != Extent::All {
                    self.add_condition(value.row_index, condition, context);
                }
            }
            if let Some(strings) = layer.node.strings.as_deref()
                && let Some(content) = strings.content.as_deref()
            {
                self.add_nodes(value.row_index, RowName::Content, &[content], None);
            }
        }
    }

    /// Adds the schemas of a condition below the row at `parent`.
    fn add_condition(&mut self, parent: usize, condition: Condition<'t>, context: &'t View<'t>) {
        match condition {
            Condition::Not(node) => self.add_conditional(parent, RowName::Not, node, context),
            Condition::If(keyword) => {
                let test = RowName::of_test(keyword).filter(|_| context.kinds == Kinds::OBJECT);
                match (test, &keyword.then) {
                    // One row says both when the condition holds and what it asks for.
                    (Some(name), Some(node)) => self.add_conditional(parent, name, node, context),
                    (_, then) => {
                        self.add_conditional(parent, RowName::If, &keyword.holds, context);
                        if let Some(node) = then {
                            self.add_conditional(parent, RowName::Then, node, context);
                        }
                    }
                }
                if let Some(node) = &keyword.otherwise {
                    self.add_conditional(parent, RowName::Otherwise, node, context);
                }
            }
            Condition::With(name, node) => {
                self.add_conditional(parent, RowName::With(name), node, context);
            }
            Condition::Contains(node, span) => {
                self.add_nodes(parent, RowName::Contains(span), &[node], None);
            }
            // It is a fact of the row.
            Condition::Requires(..) => {}
        }
    }

    /// Adds the row of a schema within a condition.
    fn add_conditional(
        &mut self,
        parent: usize,
        name: RowName<'t>,
        node: &'t Node<'t>,
        context: &'t View<'t>,
    ) {
        let view = self.views.view(&[node]);
        let row = Row {
            type_phrase: TypePhrase::for_kinds(view, context.kinds),
            ..self.new_row(name, view)
        };
        self.add_inner(parent, row, Some(context));
    }
}
