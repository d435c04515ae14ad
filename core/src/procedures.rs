//! The procedures of an `impl` or a module, as one value.
//!
//! Attributes return it, and a builder takes it. It only collects: all checks are made by
//! `build()`, where every procedure is known.

use crate::call::Cx;
use crate::fault::Fault;
use crate::procedure::Procedure;

/// A [`Procedure`] that can be added to a service with the state `S`. The trait exists for what the compiler says
/// of other types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be added to a service with the state `{S}`",
    label = "no procedure of a service with the state `{S}`",
    note = "a procedure with another state: call `.state(…)` before, with a value of that state",
    note = "a function: write `f::procedure()` if it has `#[procedure]` or `#[subscription]`, and `Procedure::new(\"f\", f)` if not",
    note = "a value of a type with `#[procedures]`: write `.procedures(value.procedures())`"
)]
pub trait IntoProcedure<S> {
    /// Returns the procedure.
    fn into_procedure(self) -> Procedure<S>;
}

impl<S> IntoProcedure<S> for Procedure<S> {
    fn into_procedure(self) -> Self {
        self
    }
}

/// A list of procedures, such as those of an `impl` under [`procedures`](macro@crate::procedures).
///
/// Add it to a service with [`ServiceBuilder::procedures`](crate::ServiceBuilder::procedures).
#[derive(Debug)]
#[must_use = "procedures do nothing until they are added to a service"]
pub struct Procedures<S = ()> {
    list: Vec<Procedure<S>>,
}

impl<S> Procedures<S> {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a procedure.
    pub fn push(&mut self, procedure: Procedure<S>) {
        self.list.push(procedure);
    }
}

impl<S: Send + Sync + 'static> Procedures<S> {
    /// Changes the procedure with this name, for options that do not fit into an attribute:
    ///
    /// ```
    /// # use docent::{Cx, Fault, Procedure, Procedures, Service};
    /// let sum = Procedure::sync("sum", |_: Cx, p: Vec<i64>| Ok::<_, Fault>(p.iter().sum::<i64>()));
    /// let procedures = Procedures::from_iter([sum]).change("sum", |sum| sum.tag("arithmetic"));
    ///
    /// let service = Service::builder("calculator", "urn:uuid:8b1f3a52-0f5a-4a4b-9a70-5f7f3d1b2c1c")
    ///     .procedures(procedures)
    ///     .build()?;
    /// assert_eq!(service.description().procs[0].tags, ["arithmetic"]);
    /// # Ok::<(), docent::BuildError>(())
    /// ```
    ///
    /// If there is no procedure with this name, `build()` returns an error.
    pub fn change(mut self, name: &str, change: impl FnOnce(Procedure<S>) -> Procedure<S>) -> Self {
        if let Some(at) = self
            .list
            .iter()
            .position(|procedure| procedure.name == name)
        {
            let changed = change(self.list.remove(at));
            self.list.insert(at, changed);
            return self;
        }
        let names: Vec<_> = self.list.iter().map(Procedure::name).collect();
        let mistake = format!(
            "`change` was called for a procedure {name:?}, and the list has only {names:?}"
        );
        // The first procedure of the list carries it to `build()`, or one that is there only for this.
        if self.list.is_empty() {
            let carrier = Procedure::sync(name, |_: Cx<S>, (): ()| Ok::<_, Fault>(()));
            self.list.push(carrier);
        }
        if let Some(first) = self.list.first_mut() {
            first.options.mistakes.push(mistake);
        }
        self
    }
}

impl<S> Default for Procedures<S> {
    fn default() -> Self {
        Self { list: Vec::new() }
    }
}

impl<S> FromIterator<Procedure<S>> for Procedures<S> {
    fn from_iter<I: IntoIterator<Item = Procedure<S>>>(procedures: I) -> Self {
        Self {
            list: procedures.into_iter().collect(),
        }
    }
}

impl<S> IntoIterator for Procedures<S> {
    type Item = Procedure<S>;
    type IntoIter = std::vec::IntoIter<Procedure<S>>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}
