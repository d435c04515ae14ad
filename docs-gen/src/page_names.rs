//! The names of the pages of a site, to find those that an address without a page may mean.
//!
//! `docent-core` names similar procedures in the same way when a call's procedure does not exist.

use std::collections::HashMap;

use docent_describe::SimilarNames;

use crate::guides::Guide;
use crate::plan::PageTarget;
use crate::service::SiteService;

/// The names of a site's pages.
#[derive(Debug)]
pub(crate) struct PageNames {
    /// Finds the names that are similar to another.
    names: SimilarNames,
    /// The pages of each name.
    pages: HashMap<String, Vec<NamedPage>>,
}

/// A page of a service.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedPage {
    /// The index of the service.
    pub(crate) service: usize,
    pub(crate) target: PageTarget,
}

impl PageNames {
    /// Finds the names of the pages of services and of guides, which are pages of the service at `lead`. Those of the
    /// newest version of a service come first.
    pub(crate) fn new(services: &[SiteService], guides: &[Guide], lead: usize) -> Self {
        let mut pages: HashMap<String, Vec<NamedPage>> = HashMap::new();
        let mut order: Vec<usize> = (0..services.len()).collect();
        order.sort_by_key(|&service| services[service].version.newest.is_some());
        for service in order {
            let plan = &services[service].plan;
            for target in plan.targets() {
                let name = match target {
                    PageTarget::Procedure(index) => {
                        let procs = &services[service].options.description.procs;
                        procs[index].name.clone()
                    }
                    _ => last_part(&plan.stem(target)).to_owned(),
                };
                pages
                    .entry(name)
                    .or_default()
                    .push(NamedPage { service, target });
            }
        }
        for (at, guide) in guides.iter().enumerate() {
            let page = NamedPage {
                service: lead,
                target: PageTarget::Guide(at),
            };
            pages.entry(guide.slug.clone()).or_default().push(page);
        }
        Self {
            names: SimilarNames::new(pages.keys().map(String::as_str)),
            pages,
        }
    }

    /// Returns at most `most` pages whose names are close to the last part of a path, the closest first. Of those with
    /// one name, the page of the service in whose folder the path is comes first.
    pub(crate) fn near(&self, services: &[SiteService], path: &str, most: usize) -> Vec<NamedPage> {
        let file = last_part(path.trim_end_matches('/'));
        let stem = file.strip_suffix(".html").unwrap_or(file);
        let stem = stem.strip_suffix(".md").unwrap_or(stem);
        let mut near = Vec::new();
        for name in self.names.closest(stem, most) {
            let mut pages = self.pages.get(name).cloned().unwrap_or_default();
            pages.sort_by_key(|page| !path.starts_with(&services[page.service].plan.prefix));
            near.extend(pages);
        }
        near.truncate(most);
        near
    }
}

/// Returns the part of a path after its last slash.
fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
