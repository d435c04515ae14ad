//! Links within a site. They are always relative, so a site works from a folder, under any prefix, and
//! as one file.
//!
//! Absolute addresses, which only a site with a known URL has, are in `publish`.
//!
//! | medium | link from `book.find` to the type `Book` |
//! |---|---|
//! | `Folder` | `types/Book.html`, or `types/Book` with clean addresses |
//! | `Markdown` | `types/Book.md` |
//! | `Single` | `#/types/Book` |

use crate::markup::PageFormat;
use crate::plan::{PageTarget, ServicePlan};
use crate::publish;

/// The medium in which the linked pages are published.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Medium {
    /// Files in folders.
    Folder,
    /// The Markdown pages beside these files.
    Markdown,
    /// Sections of one file.
    Single,
}

impl Medium {
    /// Returns the format that the pages are written in.
    pub(crate) fn format(self) -> PageFormat {
        match self {
            Self::Folder | Self::Single => PageFormat::Html,
            Self::Markdown => PageFormat::Markdown,
        }
    }
}

/// Links from one page of a service, or from the folder of the site.
pub(crate) struct Links<'a> {
    /// The pages of the service.
    pub(crate) plan: &'a ServicePlan,
    /// The medium in which the pages are published.
    pub(crate) medium: Medium,
    /// The page; `None` for the folder of the site.
    here: Option<PageTarget>,
    /// The path from this page to the folder of its service.
    pub(crate) to_service: String,
}

impl<'a> Links<'a> {
    /// Creates the links from a page, or from the folder of the site if `here` is `None`.
    pub(crate) fn new(
        plan: &'a ServicePlan,
        medium: Medium,
        here: impl Into<Option<PageTarget>>,
    ) -> Self {
        let here = here.into();
        let to_service = match here {
            _ if medium == Medium::Single => String::new(),
            None => plan.prefix.clone(),
            Some(PageTarget::Guide(_)) => format!("../{}", plan.prefix),
            Some(here) => "../".repeat(plan.stem(here).matches('/').count()),
        };
        Self {
            plan,
            medium,
            here,
            to_service,
        }
    }

    /// Returns the path from this page to the root of the site.
    pub(crate) fn to_root(&self) -> String {
        match self.here.filter(|_| self.medium != Medium::Single) {
            None => String::new(),
            Some(PageTarget::Guide(_)) => "../".to_owned(),
            Some(_) => {
                let folders = self.plan.prefix.matches('/').count();
                format!("{}{}", self.to_service, "../".repeat(folders))
            }
        }
    }

    /// Returns the link from this page to another.
    pub(crate) fn to(&self, target: PageTarget) -> String {
        // Guides belong to the site, and are next to the folders of services.
        let folder = match target {
            PageTarget::Guide(_) => &self.to_root(),
            _ => &self.to_service,
        };
        match self.medium {
            Medium::Folder => {
                let file = self.plan.stem(target) + ".html";
                publish::address_from(folder, self.plan.is_clean, &file)
            }
            Medium::Markdown => [folder, &self.plan.stem(target), ".md"].concat(),
            Medium::Single => format!("#{}", self.plan.section(target)),
        }
    }

    /// Returns the link from this page to one of another service of the site.
    pub(crate) fn across(&self, plan: &ServicePlan, target: PageTarget) -> String {
        let from_root = Links::new(plan, self.medium, None).to(target);
        format!("{}{from_root}", self.to_root())
    }

    /// Returns the link from this page to an anchor on one of another service of the site.
    #[cfg(feature = "publish")]
    pub(crate) fn across_to_anchor(
        &self,
        plan: &ServicePlan,
        target: PageTarget,
        anchor: &str,
    ) -> String {
        let from_root = Links::new(plan, self.medium, None).to_anchor(target, anchor);
        format!("{}{from_root}", self.to_root())
    }

    /// Returns the link from this page to an anchor on another.
    pub(crate) fn to_anchor(&self, target: PageTarget, anchor: &str) -> String {
        match self.medium {
            Medium::Folder => format!("{}#{anchor}", self.to(target)),
            // A Markdown page has no anchors.
            Medium::Markdown => self.to(target),
            Medium::Single => format!("{}:{anchor}", self.to(target)),
        }
    }

    /// Returns the link from this page to an anchor on the overview.
    pub(crate) fn to_overview(&self, anchor: &str) -> String {
        self.to_anchor(PageTarget::Overview, anchor)
    }

    /// Returns the link to an anchor on this page.
    pub(crate) fn same_page(&self, anchor: &str) -> String {
        format!("#{}", self.id(anchor))
    }

    /// Returns the `id` of an anchor on this page.
    pub(crate) fn id(&self, anchor: &str) -> String {
        match self.here {
            Some(here) if self.medium == Medium::Single => {
                format!("{}:{anchor}", self.plan.section(here))
            }
            _ => anchor.to_owned(),
        }
    }

    /// Returns the link to the page of a shared type.
    pub(crate) fn type_page(&self, name: &str) -> Option<String> {
        self.plan.shared_type(name).map(|target| self.to(target))
    }

    /// Returns the link to the page of an error's code.
    pub(crate) fn code_page(&self, code: i64) -> Option<String> {
        let index = self.plan.codes.get_index_of(&code)?;
        Some(self.to(PageTarget::Code(index)))
    }

    /// Returns the link to an error on the page of a procedure that declares it.
    pub(crate) fn to_error(&self, procedure: usize, code: i64) -> String {
        self.to_anchor(PageTarget::Procedure(procedure), &format!("error.{code}"))
    }

    /// Returns the link to the procedure or shared type of this name.
    pub(crate) fn to_name(&self, name: &str) -> Option<String> {
        let plan = self.plan;
        let target = plan.procedure(name).or_else(|| plan.shared_type(name))?;
        Some(self.to(target))
    }

    /// Returns the link to the procedure or shared type of this name, unless that is this page.
    pub(crate) fn to_name_elsewhere(&self, name: &str) -> Option<String> {
        let here = self.here.map(|here| self.to(here));
        self.to_name(name)
            .filter(|href| Some(href) != here.as_ref())
    }
}
