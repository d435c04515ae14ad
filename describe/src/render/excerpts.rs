//! Renders some of the procedures of a description, with the components that these need.

use std::collections::HashMap;

use super::describe::described;
use crate::ServiceDescription;
use crate::schema::{References, references};

/// Renders excerpts of one description, in the format of `rpc.describe`.
///
/// It finds out once what depends on the whole description, so the cost of an excerpt depends on what is
/// asked for and not on the size of the service.
#[derive(Debug, Clone)]
pub struct Excerpts {
    /// The components that each component refers to.
    references: References,
    /// The place of each procedure, by name.
    places: HashMap<Box<str>, usize>,
}

impl Excerpts {
    /// Begins with a description, of which nothing is rendered yet.
    pub fn new(service: &ServiceDescription) -> Self {
        // In reverse order, so that the first of two procedures with the same name is found.
        let places = service
            .procs
            .iter()
            .enumerate()
            .rev()
            .map(|(place, procedure)| (procedure.name.as_str().into(), place));
        Self {
            references: References::new(&service.components.schemas),
            places: places.collect(),
        }
    }

    /// Returns the description, limited to the named procedures and the components that they need,
    /// both in the order of the whole description.
    ///
    /// # Errors
    /// The names that no procedure has.
    pub fn render<N: AsRef<str>>(
        &self,
        service: &ServiceDescription,
        names: impl IntoIterator<Item = N>,
    ) -> Result<String, Vec<String>> {
        let mut places = Vec::new();
        let mut unknown = Vec::new();
        for name in names {
            match self.places.get(name.as_ref()) {
                Some(place) => places.push(*place),
                None => unknown.push(name.as_ref().to_owned()),
            }
        }
        if !unknown.is_empty() {
            return Err(unknown);
        }
        places.sort_unstable();
        places.dedup();
        let procs: Vec<_> = places.iter().map(|place| &service.procs[*place]).collect();
        let components = &service.components.schemas;
        let needed = procs
            .iter()
            .flat_map(|procedure| procedure.schemas())
            .flat_map(|schema| references(schema, components));
        let needed = self
            .references
            .reach(needed)
            .into_iter()
            .filter_map(|place| components.get_index(place));
        Ok(described(service, procs, needed).to_string())
    }
}
