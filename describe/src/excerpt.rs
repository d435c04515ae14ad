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
        self.with_procedures(
            self.procs
                .iter()
                .filter(|procedure| names.contains(&*procedure.name)),
        )
    }

    /// Returns the description with these procedures instead of its own, and the shared schemas that
    /// they need.
    pub fn with_procedures<'p>(
        &self,
        procs: impl IntoIterator<Item = &'p ProcedureDescription>,
    ) -> Self {
        let procs: Vec<_> = procs.into_iter().cloned().collect();
        let mut components = Components::default();
        let schemas_of_procs = procs.iter().flat_map(ProcedureDescription::schemas);
        for index in used(&self.components.schemas, schemas_of_procs) {
            if let Some((name, schema)) = self.components.schemas.get_index(index) {
                components.schemas.insert(name.clone(), schema.clone());
            }
        }
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
