use crate::model::{ProcedureDescription, ServiceDescription};
use crate::schema::keep_used;

impl ServiceDescription {
    /// Returns the description with only these procedures, and the shared schemas that they need.
    /// Names that no procedure has are ignored.
    ///
    /// ```
    /// use docent_describe::{ProcedureDescription, ServiceDescription};
    ///
    /// let named = |name: &str| ProcedureDescription { name: name.into(), ..Default::default() };
    /// let service = ServiceDescription {
    ///     procs: vec![named("a"), named("b")],
    ///     ..Default::default()
    /// };
    /// assert_eq!(service.excerpt(&["b"]).procs, [named("b")]);
    /// ```
    pub fn excerpt<N: AsRef<str>>(&self, names: &[N]) -> Self {
        let is_named = |procedure: &&ProcedureDescription| {
            names.iter().any(|name| name.as_ref() == procedure.name)
        };
        self.with_procedures(self.procs.iter().filter(is_named))
    }

    /// Returns the description with these procedures instead of its own, and the shared schemas that
    /// they need.
    pub fn with_procedures<'p>(
        &self,
        procs: impl IntoIterator<Item = &'p ProcedureDescription>,
    ) -> Self {
        let mut excerpt = Self {
            procs: procs.into_iter().cloned().collect(),
            ..self.clone()
        };
        let users = excerpt.procs.iter().flat_map(ProcedureDescription::schemas);
        keep_used(&mut excerpt.components.schemas, users);
        excerpt
    }
}
