//! A request that is being answered.

use super::message::McpHeaders;
use super::revision::Revision;
use crate::service::dispatch::Dispatch;
use crate::wire::Request;

/// A request with a known revision.
pub(super) struct McpRequest<'a, 's> {
    pub(super) dispatch: &'a Dispatch<'s>,
    pub(super) request: &'a Request,
    pub(super) headers: Option<&'a McpHeaders>,
    pub(super) method: &'a str,
    pub(super) revision: Revision,
}

impl<'a> McpRequest<'a, '_> {
    pub(super) fn id(&self) -> Option<&'a str> {
        self.dispatch.part(self.request.id.as_ref())
    }
}
