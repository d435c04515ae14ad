//! Holds a description as pieces of text, which are assembled into partial descriptions without
//! rendering again.

use std::collections::HashMap;

use super::describe::{head, procedure};
use crate::ServiceDescription;
use crate::json::{Json, Object};
use crate::schema::{References, references};

/// The output of `rpc.describe`, rendered in advance for each procedure and component.
///
/// [`Pieces::new`] renders everything once. Requests copy the parts that they need, so their cost
/// depends on the request and not on the size of the service.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// The text from the opening brace to the last member before `procs`.
    head: Box<str>,
    /// The members after `components`, each preceded by a comma, and the closing brace.
    tail: Box<str>,
    procs: Vec<Piece>,
    components: Vec<Box<str>>,
    /// The components that each component refers to.
    references: References,
    /// The index of each procedure in `procs`, by name.
    names: HashMap<Box<str>, usize>,
}

/// The text of a procedure.
#[derive(Debug, Clone)]
struct Piece {
    text: Box<str>,
    /// The indexes of the components that the procedure refers to.
    needs: Box<[usize]>,
}

impl Pieces {
    /// Renders a description.
    pub fn new(service: &ServiceDescription) -> Self {
        let schemas = &service.components.schemas;
        let names = service.procs.iter().enumerate().rev();
        Self {
            head: without_last_brace(head(service)),
            tail: tail(service),
            procs: service
                .procs
                .iter()
                .map(|described| Piece {
                    text: Json::from(procedure(described)).to_string().into(),
                    needs: described
                        .schemas()
                        .flat_map(|schema| references(schema, schemas))
                        .collect(),
                })
                .collect(),
            components: schemas
                .iter()
                .map(|(name, schema)| format!("{}:{schema}", Json::from(name.as_str())).into())
                .collect(),
            references: References::new(schemas),
            // In reverse order, so that the first of two procedures with the same name is found.
            names: names
                .map(|(place, procedure)| (procedure.name.as_str().into(), place))
                .collect(),
        }
    }

    /// Returns the whole description on one line: the text of [`describe`](super::describe()).
    pub fn whole(&self) -> String {
        let procs: Vec<&str> = self.procs.iter().map(|it| &*it.text).collect();
        let components: Vec<&str> = self.components.iter().map(|it| &**it).collect();
        self.assemble(&procs, &components)
    }

    /// Returns the description of some procedures and the components they use.
    ///
    /// The procedures have the order of the whole description, regardless of the order of the
    /// names, and each appears once.
    ///
    /// # Errors
    /// [`UnknownProcedures`] with the names that do not exist.
    pub fn partial<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<String, UnknownProcedures> {
        let mut places = Vec::new();
        let mut unknown = Vec::new();
        for name in names {
            match self.names.get(name.as_ref()) {
                Some(place) => places.push(*place),
                None => unknown.push(name.as_ref().to_owned()),
            }
        }
        if !unknown.is_empty() {
            return Err(UnknownProcedures { names: unknown });
        }
        places.sort_unstable();
        places.dedup();
        let procs: Vec<_> = places.iter().map(|place| &self.procs[*place]).collect();
        let needs = procs.iter().flat_map(|it| it.needs.iter().copied());
        let needed = self.references.reach(needs);
        let procs: Vec<&str> = procs.iter().map(|it| &*it.text).collect();
        let needed = needed.iter().map(|place| &*self.components[*place]);
        Ok(self.assemble(&procs, &needed.collect::<Vec<_>>()))
    }

    fn assemble(&self, procs: &[&str], components: &[&str]) -> String {
        let (head, tail, procs) = (&self.head, &self.tail, procs.join(","));
        let components = match components {
            [] => String::new(),
            some => format!(",\"components\":{{\"schemas\":{{{}}}}}", some.join(",")),
        };
        format!("{head},\"procs\":[{procs}]{components}{tail}")
    }
}

fn without_last_brace(object: Object) -> Box<str> {
    let text = Json::from(object).to_string();
    text.strip_suffix('}').unwrap_or(&text).into()
}

fn tail(service: &ServiceDescription) -> Box<str> {
    let extensions = Object::new().extensions(&service.extensions);
    match without_last_brace(extensions).strip_prefix('{') {
        Some("") | None => "}".into(),
        Some(members) => format!(",{members}}}").into(),
    }
}

/// Some of the requested procedures do not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no such procedure: `{}`", names.join("`, `"))]
pub struct UnknownProcedures {
    /// The names, as requested.
    pub names: Vec<String>,
}
