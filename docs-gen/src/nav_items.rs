//! Items of the sidebar that are written once for many pages.

use std::sync::OnceLock;

use crate::markup::Markup;
use crate::plan::ServicePlan;

/// The items that all pages in a service's own folder show alike. Nearly all its pages are there.
#[derive(Debug)]
pub(crate) struct NavItems {
    pub(crate) groups: Vec<OnceLock<Markup>>,
    /// The procedures, each in its first group.
    pub(crate) procedures: Vec<OnceLock<Markup>>,
}

impl NavItems {
    pub(crate) fn new(plan: &ServicePlan) -> Self {
        Self {
            groups: vec![OnceLock::new(); plan.groups.len()],
            procedures: vec![OnceLock::new(); plan.procedures.len()],
        }
    }
}
