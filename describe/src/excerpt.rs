//! Descriptions of a part of a service.
//!
//! `rpc.describe` answers with an excerpt if a caller asks for some procedures only, and tools
//! leave out what they do not show. The excerpt is complete in itself: it has the schemas that its
//! procedures need, and no others.

use std::collections::HashSet;

use crate::model::{Components, ProcedureDescription, ServiceDescription};
use crate::schema::used;

impl ServiceDescription {
    /// Returns the description with only these procedures, and the shared schemas that they need.
    /// Names that no procedure has are ignored.
    ///
    /// ```
    /// use docent_describe::{ProcedureDescription, ServiceDescription};
    ///
    /// let mut service = ServiceDescription::new("letters", "urn:example:letters");
    /// service.procs = ["a", "b"].map(ProcedureDescription::new).into();
    /// assert_eq!(service.excerpt(&["b"]).procs, [ProcedureDescription::new("b")]);
    /// ```
    pub fn excerpt<N: AsRef<str>>(&self, names: &[N]) -> Self {
        let names: HashSet<&str> = names.iter().map(AsRef::as_ref).collect();
        let selected = self
            .procs
            .iter()
            .filter(|procedure| names.contains(&*procedure.name));
        self.with_procedures(selected)
    }

    /// Returns the description with these procedures instead of its own, and the shared schemas that
    /// they need.
    pub fn with_procedures<'p>(
        &self,
        procs: impl IntoIterator<Item = &'p ProcedureDescription>,
    ) -> Self {
        let procs: Vec<_> = procs.into_iter().cloned().collect();
        let schemas = &self.components.schemas;
        let users = procs.iter().flat_map(ProcedureDescription::schemas);
        let needed = used(schemas, users)
            .into_iter()
            .filter_map(|index| schemas.get_index(index))
            .map(|(name, schema)| (name.clone(), schema.clone()));
        let components = Components {
            schemas: needed.collect(),
        };
        // Member by member, so that the procedures of a large service are not copied first.
        Self {
            procs,
            components,
            name: self.name.clone(),
            id: self.id.clone(),
            version: self.version.clone(),
            summary: self.summary.clone(),
            description: self.description.clone(),
            help: self.help.clone(),
            address: self.address.clone(),
            carriers: self.carriers.clone(),
            enforced_formats: self.enforced_formats.clone(),
            security_schemes: self.security_schemes.clone(),
            origin: self.origin,
            extensions: self.extensions.clone(),
        }
    }
}
