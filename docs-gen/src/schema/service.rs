//! The schemas of a service, and the examples that fit them.
//!
//! All pages of a run share them, so that no schema is read again for each page. After [`RUN_LENGTH`] files, they are
//! dropped, and the next run begins with new ones.

use docent_describe::schema::{Examples, SchemaContext, SchemaViews, Side};
use docent_describe::{Example, ProcedureDescription, ServiceDescription};

/// The maximum number of schemas that are visited for the examples of all pages of a service.
const MAX_VISITED: usize = 1_000_000;

/// The number of schemas that may be visited for the examples of one page, however many pages there are.
const MIN_VISITED: usize = 1_000;

/// The number of files that share what has been read of schemas, so that memory does not grow with the site.
pub(crate) const RUN_LENGTH: usize = 128;

/// The schemas of a service, with what has been read of them so far.
pub(crate) struct ServiceSchemas<'j> {
    /// The views of schemas, each made when it is first asked for.
    pub(crate) views: SchemaViews<'j>,
    /// Makes values that fit.
    pub(crate) examples: Examples<'j>,
}

impl<'j> ServiceSchemas<'j> {
    /// Begins with the schemas of a service, none of which is read yet.
    pub(crate) fn new(service: &'j ServiceDescription) -> Self {
        let context = SchemaContext::from(service);
        // Each page has the same share, so the pages do not depend on their order.
        let pages = service.procs.len() + service.components.schemas.len();
        let share = MAX_VISITED / pages.max(1);
        let views = SchemaViews::new(context);
        Self {
            examples: Examples::of_views(&views).at_most(share.max(MIN_VISITED)),
            views,
        }
    }

    /// Returns whether an example of a procedure breaks its schemas.
    pub(crate) fn is_broken(&self, procedure: &ProcedureDescription, example: &Example) -> bool {
        self.views.validator().is_broken(procedure, example)
    }
}

/// Returns the side of the parameters, and that of the result. For what the service sends, they are swapped.
pub(crate) fn sides(procedure: &ProcedureDescription) -> (Side, Side) {
    if procedure.is_called_by_clients() {
        (Side::Input, Side::Output)
    } else {
        (Side::Output, Side::Input)
    }
}

/// Returns whether a procedure gets a response.
pub(crate) fn is_answered(procedure: &ProcedureDescription) -> bool {
    let is_request = procedure.is_called_by_clients() || procedure.returns.is_some();
    is_request && !procedure.notification
}
