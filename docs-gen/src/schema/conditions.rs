//! The rows of what is asked only of some values.
//!
//! A condition may speak of members whose types are said outside of it. Its rows say these types too.

use docent_describe::schema::{Condition, Kinds, View};

use super::extent::Extent;
use super::facts::condition_as_fact;
use super::row::Row;
use super::row_name::RowName;
use super::shown::ShownValue;
use super::tree::RowTree;
use super::words::TypeWords;

impl<'t> RowTree<'t> {
    /// Adds what is asked only of some values.
    pub(super) fn add_conditions(&mut self, shown: &ShownValue<'_, 't>) {
        // Within a condition, all that is said outside of it holds too.
        let around = match shown.around {
            Some(outer) => {
                let roots = [&outer.roots[..], &shown.own.roots[..]].concat();
                self.views.view(&roots)
            }
            None => shown.whole,
        };
        let layers = shown
            .own
            .layers
            .iter()
            .filter(|layer| shown.extent == Extent::All || layer.from.is_none());
        for layer in layers {
            for condition in layer.conditions() {
                let fact = condition_as_fact(condition, shown.own.kinds);
                if fact.is_none() || shown.extent != Extent::All {
                    self.add_condition(shown.at, condition, around);
                }
            }
            let strings = layer.node.strings.as_deref();
            if let Some(content) = strings.and_then(|strings| strings.content.as_deref()) {
                self.add_nodes(shown.at, RowName::Content, &[content], None);
            }
        }
    }

    /// Adds the schemas of a condition.
    fn add_condition(&mut self, at: usize, condition: Condition<'t>, around: &'t View<'t>) {
        let mut rows = Vec::new();
        match condition {
            Condition::Not(node) => rows.push((RowName::Not, node)),
            Condition::If(condition) => {
                let test = RowName::of_test(condition).filter(|_| around.kinds == Kinds::OBJECT);
                match (test, &condition.then) {
                    (Some(name), Some(node)) => rows.push((name, node)),
                    (_, then) => {
                        rows.push((RowName::If, &condition.holds));
                        rows.extend(then.as_ref().map(|node| (RowName::Then, node)));
                    }
                }
                let otherwise = condition.otherwise.as_ref();
                rows.extend(otherwise.map(|node| (RowName::Otherwise, node)));
            }
            Condition::With(name, node) => rows.push((RowName::With(name), node)),
            Condition::Contains(node, span) => {
                self.add_nodes(at, RowName::Contains(span), &[node], None);
            }
            Condition::Requires(..) => {}
        }
        for (name, node) in rows {
            let view = self.views.view(&[node]);
            let row = Row {
                words: TypeWords::for_kinds(view, around.kinds),
                ..self.new_row(name, view)
            };
            self.add_inner_around(at, row, Some(around));
        }
    }
}
