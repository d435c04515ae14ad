//! Links within a site. They are always relative, so a site works from a folder, under any prefix,
//! and as one file.

use crate::markup::Form;
use crate::plan::{ServicePlan, Target};
use crate::publish;
use crate::slug::Slugs;

/// Where the linked pages are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Medium {
    /// Files in folders.
    Folder,
    /// The twins of these files, in Markdown.
    Twins,
    /// Sections of one file.
    Single,
}

impl Medium {
    /// What its pages are written as.
    pub(crate) fn form(self) -> Form {
        match self {
            Self::Folder | Self::Single => Form::Html,
            Self::Twins => Form::Markdown,
        }
    }
}

/// Links from one page of a service.
#[derive(Debug)]
pub(crate) struct Links<'a> {
    pub(crate) plan: &'a ServicePlan,
    pub(crate) medium: Medium,
    pub(crate) here: Target,
}

impl<'a> Links<'a> {
    pub(crate) fn new(plan: &'a ServicePlan, medium: Medium, here: Target) -> Self {
        Self { plan, medium, here }
    }

    /// Returns the path from this page to the folder of its service: `""` or `"../"`.
    pub(crate) fn to_service(&self) -> &'static str {
        match self.here {
            _ if self.medium == Medium::Single => "",
            Target::Group(..) | Target::Type(_) | Target::Names => "../",
            _ => "",
        }
    }

    /// Returns the path from this page to the root of the site.
    pub(crate) fn to_root(&self) -> String {
        let up = if self.plan.prefix.is_empty() || self.medium == Medium::Single {
            ""
        } else {
            "../"
        };
        format!("{}{up}", self.to_service())
    }

    /// Returns the link from this page to another.
    pub(crate) fn to(&self, target: Target) -> String {
        match self.medium {
            Medium::Folder => {
                let file = format!("{}.html", self.plan.stem(target));
                match (
                    self.to_service(),
                    publish::address(self.plan.is_clean, &file),
                ) {
                    // Of a folder's index, `./` stands for no name.
                    (up, address) if !up.is_empty() && address == "./" => up.to_owned(),
                    (up, address) => format!("{up}{address}"),
                }
            }
            Medium::Twins => format!("{}{}.md", self.to_service(), self.plan.stem(target)),
            Medium::Single => format!("#{}", self.plan.section(target)),
        }
    }

    /// Returns the link from this page to an anchor on another.
    pub(crate) fn to_anchor(&self, target: Target, anchor: &str) -> String {
        match self.medium {
            Medium::Folder => format!("{}#{anchor}", self.to(target)),
            // A twin has no anchors.
            Medium::Twins => self.to(target),
            Medium::Single => format!("{}:{anchor}", self.to(target)),
        }
    }

    /// Returns the link to an anchor on this page.
    pub(crate) fn same_page(&self, anchor: &str) -> String {
        format!("#{}", self.id(anchor))
    }

    /// Returns the `id` of an anchor on this page.
    pub(crate) fn id(&self, anchor: &str) -> String {
        match self.medium {
            Medium::Folder | Medium::Twins => anchor.to_owned(),
            Medium::Single => format!("{}:{anchor}", self.plan.section(self.here)),
        }
    }

    /// Returns the link to the page of a shared type.
    pub(crate) fn type_page(&self, name: &str) -> Option<String> {
        self.plan
            .types
            .get_index_of(name)
            .map(|index| self.to(Target::Type(index)))
    }
}

/// Hands out the anchors of one page.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    slugs: Slugs,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Returns a unique anchor for a path such as `param.words`. Every path starts with a word and
    /// a dot. No anchor in a template does, so the two cannot clash.
    pub(crate) fn assign(&mut self, path: &str) -> String {
        self.slugs.assign(path)
    }
}
