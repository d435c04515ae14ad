//! The context of one page: everything that its parts are made from.
//!
//! A function of `view` takes one of two contexts, so its signature says what it depends on:
//!
//! - [`PageText`], if it only needs the language, the links from the page, and its format, HTML or Markdown;
//! - [`PageScope`], if it also needs the service or the site. Its `text` is the `PageText`.
//!
//! A page ends with [`PageScope::page`], which renders the main part from the data of a template.

use std::mem;

use docent_describe::{Origin, ProcedureDescription, ServiceDescription};
use serde::Serialize;

use crate::call::CallAddress;
#[cfg(feature = "publish")]
use crate::changed_values::ChangedValues;
use crate::json_text::{Printed, text_member};
use crate::links::{Links, Medium};
use crate::markdown::{self, phrase};
use crate::markup::{Markup, PageFormat};
use crate::plan::PageTarget;
use crate::samples;
use crate::schema::ServiceSchemas;
use crate::service::SiteService;
use crate::site::{PageSource, Site};
use crate::strings::Strings;
use crate::templates::TemplateData;
use crate::text::{display_name, plain};

/// The maximum number of versions that are listed, the newest first.
pub(super) const MAX_VERSIONS: usize = 60;

/// The maximum number of bytes of a message on a page.
pub(super) const MAX_MESSAGE_BYTES: usize = 24_000;

/// The changes of values that are marked on a page.
#[cfg(feature = "publish")]
pub(super) struct MarkedChanges<'a> {
    pub(super) site: &'a Site,
    pub(super) values: &'a ChangedValues,
}

/// The means to write text: the texts of the page's language, and the links from it in the format of the page.
pub(crate) struct PageText<'a> {
    /// The texts of the interface.
    pub(super) strings: &'a Strings,
    /// The links from the page.
    pub(super) links: Links<'a>,
    /// The changes of values that are marked.
    #[cfg(feature = "publish")]
    pub(super) changes: Option<MarkedChanges<'a>>,
}

impl PageText<'_> {
    /// Returns the format that the page is written in.
    pub(super) fn format(&self) -> PageFormat {
        self.links.medium.format()
    }

    /// Returns empty markup in the page's format.
    pub(super) fn markup(&self) -> Markup {
        Markup::new(self.format())
    }

    /// Returns a text as it is.
    pub(super) fn escaped(&self, text: &str) -> Markup {
        Markup::escaped(self.format(), text)
    }

    /// Returns a block of JSON.
    pub(super) fn json(&self, json: &Printed) -> Markup {
        samples::json(self.format(), &json.text)
    }

    /// Returns markup in the page's format, as `write` writes it.
    pub(super) fn written(&self, write: impl FnOnce(&mut Markup) -> &mut Markup) -> Markup {
        let mut markup = self.markup();
        write(&mut markup);
        markup
    }

    /// Returns a text of a description as code, on one line.
    pub(super) fn code(&self, text: &str) -> Markup {
        self.written(|code| code.code(&plain(text)))
    }

    /// Returns a text of the interface with a value in it.
    pub(super) fn with_markup(&self, key: &str, value: &Markup) -> Markup {
        let text = self.strings.get(key);
        let (before, after) = text.split_once("{}").unwrap_or((text, ""));
        self.written(|sentence| sentence.text(before).markup(value).text(after))
    }

    /// Returns a text with a link.
    pub(super) fn linked(&self, href: &str, text: &str) -> Markup {
        self.written(|link| link.link(href, text))
    }

    /// Renders Markdown by an author if there is any, with its top-level headings at level `top`.
    pub(super) fn prose(&self, text: Option<&str>, top: u8) -> Option<Markup> {
        Some(markdown::linked(self.format(), text?, Some(top), &|name| {
            self.links.to_name_elsewhere(name)
        }))
    }

    /// Renders Markdown without links to what it names.
    pub(super) fn rendered(&self, text: &str) -> Markup {
        markdown::render(self.format(), text)
    }

    /// Renders Markdown by an author for the middle of a line.
    pub(super) fn inline(&self, text: &str) -> Markup {
        markdown::inline(self.format(), text, &|name| {
            self.links.to_name_elsewhere(name)
        })
    }

    /// Renders a summary or a title by an author, for a row or a card. Returns `None` if nothing of it is visible.
    pub(super) fn phrase(&self, text: Option<&str>) -> Option<Markup> {
        let phrase = phrase::summary(self.format(), text?, &|name| {
            self.links.to_name_elsewhere(name)
        });
        (!phrase.is_empty()).then_some(phrase)
    }

    /// Renders the first sentence of a text by an author, for a row or a cell. Returns `None` if nothing of it is
    /// visible.
    pub(super) fn first_sentence(&self, text: Option<&str>) -> Option<Markup> {
        let sentence = phrase::first_sentence(self.format(), text?, &|name| {
            self.links.to_name_elsewhere(name)
        });
        (!sentence.is_empty()).then_some(sentence)
    }

    /// Returns a link to a page, for a template.
    pub(super) fn link(&self, name: &str, target: PageTarget) -> Link {
        Link::named(name, self.links.to(target))
    }

    /// Completes an address as far as the readers of the text need it.
    pub(super) fn completed(&self, address: &CallAddress) -> CallAddress {
        match self.links.medium {
            Medium::Single => address.for_anywhere(),
            Medium::Markdown | Medium::Folder => address.at_host(),
        }
    }
}

/// A link, for a template.
#[derive(Serialize)]
pub(super) struct Link {
    name: String,
    href: String,
}

impl Link {
    pub(super) fn new(name: impl Into<String>, href: String) -> Self {
        let name = name.into();
        Self { name, href }
    }

    /// Creates a link with a name of a description.
    pub(super) fn named(name: &str, href: String) -> Self {
        Self::new(display_name(name), href)
    }
}

/// The link to this page in the newest version.
#[derive(Serialize)]
pub(super) struct NewestVersion {
    pub(super) href: String,
    pub(super) text: String,
}

/// The address of a page in another version.
pub(super) struct PageInVersion {
    /// The address of the page, or that of the overview if the version does not have the page.
    pub(super) href: String,
    /// True if the version does not have the page.
    pub(super) is_missing: bool,
}

/// The context of one page of one service.
pub(crate) struct PageScope<'a> {
    pub(super) site: &'a Site,
    pub(super) service: &'a SiteService,
    pub(super) description: &'a ServiceDescription,
    /// The means to write text.
    pub(crate) text: PageText<'a>,
    /// The page.
    pub(crate) target: PageTarget,
    /// The schemas of the service.
    pub(super) schemas: &'a ServiceSchemas<'a>,
}

impl<'a> PageScope<'a> {
    /// Creates the context of a page that is written for a medium.
    pub(crate) fn new(
        site: &'a Site,
        service: &'a SiteService,
        medium: Medium,
        target: PageTarget,
        schemas: &'a ServiceSchemas<'a>,
    ) -> Self {
        Self {
            site,
            service,
            description: &service.options.description,
            text: PageText {
                strings: &site.strings,
                links: Links::new(&service.plan, medium, target),
                #[cfg(feature = "publish")]
                changes: None,
            },
            target,
            schemas,
        }
    }

    /// Returns the address for calls.
    pub(super) fn address(&self) -> Option<CallAddress> {
        Some(self.text.completed(self.service.address.as_ref()?))
    }

    /// Returns a sentence about the address in samples, if it is made up.
    pub(super) fn address_note(&self) -> Option<&'a str> {
        let absolute = self.address().and_then(|address| address.absolute);
        let has_samples = self.description.origin != Origin::Mcp;
        (absolute.is_none() && has_samples).then(|| self.text.strings.get("samples.address"))
    }

    /// Returns a procedure by its index in the description.
    pub(super) fn procedure(&self, index: usize) -> &'a ProcedureDescription {
        &self.description.procs[index]
    }

    /// Returns the name of a group, or a text in its place.
    pub(super) fn group_name(&self, group: usize) -> &'a str {
        let groups = &self.service.plan.groups;
        match &groups[group].name {
            Some(name) => name,
            None if groups.len() == 1 => self.text.strings.get("group.all"),
            None => self.text.strings.get("group.others"),
        }
    }

    /// Returns the description of a group's tag.
    pub(super) fn tag(&self, group: usize) -> Option<Markup> {
        let name = self.service.plan.groups[group].name.as_deref()?;
        let tags = self.description.extensions.get("$tags")?;
        Some(self.text.rendered(text_member(tags, name)?))
    }

    /// Returns the text of a key about Docent's own services, or about others.
    pub(super) fn text_of_kind(&self, key: &str) -> &'a str {
        let kind = if self.is_foreign() { "foreign" } else { "text" };
        self.text
            .strings
            .find(&format!("{key}.{kind}"))
            .unwrap_or_default()
    }

    /// Returns whether nothing is known of the service except its description.
    pub(super) fn is_foreign(&self) -> bool {
        self.service.options.is_foreign()
    }

    /// Finds the same page in another version.
    pub(super) fn page_in_version(&self, other: &SiteService) -> PageInVersion {
        let links = &self.text.links;
        let target = match self.target {
            PageTarget::Group(group, _) => PageTarget::Group(group, 0),
            target => target,
        };
        // The pages of all types and of all errors do not have the same file name in each version.
        let plan = match target {
            PageTarget::Types | PageTarget::Errors => &other.plan,
            _ => &self.service.plan,
        };
        let path = format!("{}{}.html", other.plan.prefix, plan.stem(target));
        let found = match self.site.source(&path) {
            Some(PageSource::Page(_, found))
                if mem::discriminant(&found) == mem::discriminant(&target) =>
            {
                Some(found)
            }
            _ => None,
        };
        // In a single file, only overviews name other versions.
        let target = found
            .filter(|_| links.medium != Medium::Single)
            .unwrap_or(PageTarget::Overview);
        PageInVersion {
            href: links.across(&other.plan, target),
            is_missing: found.is_none(),
        }
    }

    /// Returns the link to this page in the newest version, unless this is the newest.
    pub(super) fn newest(&self) -> Option<NewestVersion> {
        let newest = &self.site.services[self.service.version.newest?];
        let name = &newest.version.name;
        Some(NewestVersion {
            href: self.page_in_version(newest).href,
            text: self.text.strings.with("version.newest", name),
        })
    }

    /// Returns the other versions, the newest first.
    pub(super) fn other_versions(&self) -> impl Iterator<Item = &'a SiteService> {
        let site = self.site;
        let own = &self.service.plan.prefix;
        self.service
            .version
            .all
            .iter()
            .rev()
            .map(|&at| &site.services[at])
            .filter(move |other| other.plan.prefix != *own)
    }

    /// Returns the name of the page of changes, if there is one.
    pub(super) fn changes_name(&self) -> Option<String> {
        let before = self.before().filter(|_| self.service.plan.has_changes)?;
        Some(
            self.text
                .strings
                .with("changes.since", &before.version.name),
        )
    }

    /// Returns the previous version.
    pub(super) fn before(&self) -> Option<&'a SiteService> {
        Some(&self.site.services[self.service.version.before?])
    }

    /// Renders the main part of the page from its data.
    pub(super) fn page<D: TemplateData>(
        &self,
        title: String,
        summary: Option<String>,
        data: &D,
    ) -> PageContent {
        let is_single = self.text.links.medium == Medium::Single;
        let page_data = PageData {
            section: is_single.then(|| self.service.plan.section(self.target)),
            prefix: self.text.links.id(""),
            overview: self.text.links.to(PageTarget::Overview),
            data,
        };
        PageContent {
            title,
            summary,
            main: self.site.templates.render(self.text.format(), &page_data),
        }
    }
}

/// The data of a template, and beside it what the template of every page of a service gets.
#[derive(Serialize)]
struct PageData<'d, D> {
    /// The `id` of the page's section in the single file.
    section: Option<String>,
    /// The beginning of each `id` on the page.
    prefix: String,
    /// The address of the overview.
    overview: String,
    #[serde(flatten)]
    data: &'d D,
}

impl<D: TemplateData> TemplateData for PageData<'_, D> {
    const TEMPLATE: &'static str = D::TEMPLATE;
}

/// The main part of a page.
pub(crate) struct PageContent {
    /// The title, without the name of the site.
    pub(crate) title: String,
    /// The summary for search engines and link previews.
    pub(crate) summary: Option<String>,
    /// The main part, rendered.
    pub(crate) main: Markup,
}
