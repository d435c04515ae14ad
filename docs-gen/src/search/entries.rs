//! The entries of a service's pages in the search index, page by page.
//!
//! An entry is what a reader may look for: a page, or a part of one that has an anchor. Its texts come from the data
//! and the rows of the page itself (`crate::view`), so whatever a page says of a procedure can be found. `sections`
//! adds the entries of the overview, and `guides` those of the guides.

use std::borrow::Cow;
use std::slice;

use docent_describe::{Example, ServiceDescription};

use super::texts::{JSON, LISTED, MAX_TEXTS, PROSE, SearchTexts};
use crate::json_text;
use crate::links::{Links, Medium};
use crate::markdown::{self, phrase};
use crate::plan::PageTarget;
use crate::schema::{RUN_LENGTH, Row, RowName, RowTree, ServiceSchemas};
use crate::service::SiteService;
use crate::site::Site;
use crate::strings::Strings;
use crate::view::{self, AboutProcedure, PageScope};

/// The maximum depth of values that have entries of their own.
const MAX_PART_DEPTH: usize = 6;

/// The maximum number of entries of the values in all parameters, in a result or in a type.
const MAX_PARTS: usize = 200;

/// The maximum number of bytes of a value in an example that are searched.
const MAX_EXAMPLE_BYTES: usize = 2000;

/// The kind of a line of the index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchKind {
    /// A service of a catalogue.
    Service,
    Procedure,
    /// A procedure that starts a subscription.
    Subscription,
    /// Something that the service sends.
    Sent,
    Type,
    Group,
    /// A section of the overview.
    Section,
    /// An error of the protocol.
    Code,
    /// A code that procedures declare.
    Error,
    Guide,
    /// A part of the last page before it, such as a heading or a result.
    Part,
    /// A parameter.
    Param,
    /// A value in a parameter, in a result or in a type.
    Field,
    /// An example of a procedure.
    Example,
    /// An error that a procedure declares.
    Declared,
}

impl SearchKind {
    /// Returns its letter in the index.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Service => "v",
            Self::Procedure => "p",
            Self::Subscription => "u",
            Self::Sent => "n",
            Self::Type => "t",
            Self::Group => "g",
            Self::Section => "s",
            Self::Code => "e",
            Self::Error | Self::Declared => "r",
            Self::Guide => "d",
            Self::Part => "",
            Self::Param => "a",
            Self::Field => "f",
            Self::Example => "x",
        }
    }

    /// Returns whether this is a part of the last page before it.
    pub(super) fn is_part(self) -> bool {
        matches!(
            self,
            Self::Part | Self::Param | Self::Field | Self::Example | Self::Declared
        )
    }
}

/// An entry for something that a reader may look for.
pub(super) struct SearchEntry<'a> {
    pub(super) kind: SearchKind,
    /// The page.
    pub(super) target: PageTarget,
    /// The anchor on the page, or `None` for the page itself.
    pub(super) anchor: Option<String>,
    /// The name to look for.
    pub(super) name: Cow<'a, str>,
    /// The summary, which is searched and is visible in the results.
    pub(super) summary: Cow<'a, str>,
    /// The numbers of further texts by which it can be found.
    pub(super) texts: Vec<usize>,
}

impl<'a> SearchEntry<'a> {
    /// Creates the entry of a page that is found by its name only.
    pub(super) fn new(kind: SearchKind, target: PageTarget, name: impl Into<Cow<'a, str>>) -> Self {
        Self {
            kind,
            target,
            anchor: None,
            name: name.into(),
            summary: Cow::Borrowed(""),
            texts: Vec::new(),
        }
    }

    /// Returns the address that a result of the search leads to.
    pub(super) fn href(&self, links: &Links<'_>) -> String {
        match &self.anchor {
            Some(anchor) => links.to_anchor(self.target, anchor),
            None => links.to(self.target),
        }
    }
}

/// Returns what can be found on the pages of a service. With the medium in which they are published, this includes
/// what stands on them; without one, it is the service and its pages, by name and summary.
pub(super) fn find_entries<'a>(
    site: &'a Site,
    service: &'a SiteService,
    medium: Option<Medium>,
    texts: &mut SearchTexts,
) -> Vec<SearchEntry<'a>> {
    let mut finder = EntryFinder {
        site,
        service,
        description: &service.options.description,
        medium,
        strings: &site.strings,
        found: Vec::new(),
        texts,
    };
    finder.add_pages();
    finder.found
}

/// Finds the entries of a service.
pub(super) struct EntryFinder<'a, 't> {
    pub(super) site: &'a Site,
    pub(super) service: &'a SiteService,
    pub(super) description: &'a ServiceDescription,
    /// The form in which the pages are published, if their contents are searched too.
    pub(super) medium: Option<Medium>,
    /// The texts of the interface, for the names of sections.
    pub(super) strings: &'a Strings,
    /// The entries so far, in the order of the pages.
    pub(super) found: Vec<SearchEntry<'a>>,
    /// The texts of all entries.
    pub(super) texts: &'t mut SearchTexts,
}

impl<'a> EntryFinder<'a, '_> {
    /// Adds the service, its pages, and their contents.
    fn add_pages(&mut self) {
        if self.medium.is_some() {
            self.add_single_pages();
        } else {
            let name = &self.description.name;
            let mut entry = SearchEntry::new(SearchKind::Service, PageTarget::Overview, name);
            entry.summary = self.summary();
            self.found.push(entry);
        }
        for run in self.service.plan.targets().chunks(RUN_LENGTH) {
            let schemas = self.service.schemas();
            for target in run {
                match *target {
                    PageTarget::Procedure(index) => self.add_procedure(&schemas, index),
                    PageTarget::Type(index) => self.add_shared_type(&schemas, index),
                    _ => {}
                }
            }
        }
        if self.medium.is_some() {
            self.add_groups();
        }
        self.add_errors();
    }

    /// Adds the groups that have names.
    fn add_groups(&mut self) {
        for (index, group) in self.service.plan.groups.iter().enumerate() {
            if let Some(name) = &group.name {
                let target = PageTarget::Group(index, 0);
                self.found
                    .push(SearchEntry::new(SearchKind::Group, target, name));
            }
        }
    }

    /// Returns the summary of the service.
    pub(super) fn summary(&self) -> Cow<'a, str> {
        self.description
            .summary
            .as_deref()
            .map(phrase::plain)
            .unwrap_or_default()
            .into()
    }

    /// Adds a shared type, and the contents of its page.
    fn add_shared_type<'s>(&mut self, schemas: &'s ServiceSchemas<'s>, index: usize)
    where
        'a: 's,
    {
        let Some((name, _)) = self.service.plan.types.get_index(index) else {
            return;
        };
        let Some((_, node)) = schemas.views.tree.shared(name) else {
            return;
        };
        let target = PageTarget::Type(index);
        let annotations = &node.annotations;
        let summary = annotations.description.unwrap_or_default();
        let mut entry = SearchEntry::new(SearchKind::Type, target, name);
        entry.summary = phrase::plain(summary).into();
        if self.medium.is_none() {
            self.found.push(entry);
            return;
        }
        for text in annotations.title.into_iter().chain([summary]) {
            self.texts.add_markdown(&mut entry.texts, text);
        }
        self.found.push(entry);
        let mut tree = RowTree::folded(&schemas.views);
        tree.add_shared_type("", node);
        let scope = self.scope(schemas, target);
        self.add_parts(&scope, SearchKind::Field, tree.take_rows());
    }

    /// Returns the context of a page.
    pub(super) fn scope<'s>(
        &self,
        schemas: &'s ServiceSchemas<'s>,
        target: PageTarget,
    ) -> PageScope<'s>
    where
        'a: 's,
    {
        PageScope::new(self.site, self.service, Medium::Markdown, target, schemas)
    }

    /// Adds the codes that procedures declare. Each is named by its number alone, so that a search for the
    /// number finds its page first, and a search for a message finds the procedures that return it first.
    /// Of a brief index, the first message is enough.
    fn add_errors(&mut self) {
        let max_errors = if self.medium.is_some() { MAX_TEXTS } else { 0 };
        let procs = &self.description.procs;
        for (index, (code, users)) in self.service.plan.codes.iter().enumerate() {
            let mut errors = users
                .iter()
                .flat_map(|&user| &procs[user].errors)
                .filter(|error| error.code == *code)
                .peekable();
            let target = PageTarget::Code(index);
            let mut entry = SearchEntry::new(SearchKind::Error, target, code.to_string());
            entry.summary = errors.peek().map_or("", |error| &error.message).into();
            for error in errors.take(max_errors) {
                self.texts.add_markdown(&mut entry.texts, &error.message);
                if let Some(description) = &error.description {
                    self.texts.add_markdown(&mut entry.texts, description);
                }
            }
            self.found.push(entry);
        }
    }

    /// Adds a procedure, and the contents of its page.
    fn add_procedure<'s>(&mut self, schemas: &'s ServiceSchemas<'s>, index: usize)
    where
        'a: 's,
    {
        let procedure = &self.description.procs[index];
        let target = PageTarget::Procedure(index);
        let kind = match procedure.subscription {
            _ if !procedure.is_called_by_clients() => SearchKind::Sent,
            Some(_) => SearchKind::Subscription,
            None => SearchKind::Procedure,
        };
        let mut entry = SearchEntry::new(kind, target, &procedure.name);
        entry.summary = procedure
            .summary
            .as_deref()
            .map(phrase::plain)
            .unwrap_or_default()
            .into();
        if self.medium.is_none() {
            self.found.push(entry);
            return;
        }
        let scope = self.scope(schemas, target);
        let about = AboutProcedure::new(&scope, index);
        self.texts.add_data(&mut entry.texts, &about);
        let name = procedure.item_notification().unwrap_or_default();
        self.texts.add(&mut entry.texts, PROSE, name);
        self.found.push(entry);
        let mut tree = RowTree::folded(&schemas.views);
        tree.add_params(procedure);
        self.add_parts(&scope, SearchKind::Param, tree.take_rows());
        tree.add_result(procedure);
        self.add_parts(&scope, SearchKind::Field, tree.take_rows());
        for error in procedure.errors.iter().take(100) {
            let name = format!("{} {}", error.code, error.message);
            let mut entry = SearchEntry::new(SearchKind::Declared, target, name);
            entry.anchor = Some(tree.ids.assign(&format!("error.{}", error.code)));
            if let Some(text) = &error.description {
                self.texts.add_markdown(&mut entry.texts, text);
            }
            self.found.push(entry);
        }
        for (example, number) in procedure.examples.iter().take(50).zip(1..) {
            let title = match &example.summary {
                Some(summary) => phrase::plain(summary),
                None => self
                    .strings
                    .with("example.numbered", &i32::to_string(&number)),
            };
            let mut entry = SearchEntry::new(SearchKind::Example, target, title);
            entry.anchor = Some(tree.ids.assign(&format!("example.{number}")));
            self.add_example(&mut entry.texts, example);
            self.found.push(entry);
        }
    }

    /// Adds the description of an example, and the values in it.
    fn add_example(&mut self, texts: &mut Vec<usize>, example: &Example) {
        if let Some(text) = &example.description {
            self.texts.add_markdown(texts, text);
        }
        let mut values = Vec::new();
        values.extend(&example.params);
        values.extend(&example.result);
        values.extend(&example.error);
        values.extend(example.items.iter().flatten());
        for value in values {
            let text = json_text::brief(value, MAX_EXAMPLE_BYTES);
            self.texts.add(texts, JSON, &text);
        }
    }

    /// Adds the values of rows, each by its name behind those of the values that it is in. `top` is the kind of those
    /// that are in no other.
    fn add_parts(&mut self, scope: &PageScope<'_>, top: SearchKind, rows: Vec<Row<'_>>) {
        let mut found: Vec<SearchEntry<'a>> = Vec::new();
        // The values that the next row is in, the outermost first, by their indexes in `found`.
        let mut parents: Vec<usize> = Vec::new();
        for mut row in rows
            .into_iter()
            .filter(|row| row.depth <= MAX_PART_DEPTH)
            .take(MAX_PARTS)
        {
            parents.truncate(row.depth);
            let index = match parents.last() {
                // A label, such as "each element", is not worth finding. Its texts lead to the value around it.
                Some(parent) if row.name.is_label() => *parent,
                parent => {
                    let parent_name = parent.map_or("", |parent| &found[*parent].name);
                    let kind = if row.depth == 0 {
                        top
                    } else {
                        SearchKind::Field
                    };
                    found.push(part(scope.target, kind, &row, parent_name, self.strings));
                    found.len() - 1
                }
            };
            parents.push(index);
            let texts = &mut found[index].texts;
            row.depth = 0;
            let item = view::tree(&scope.text, None, slice::from_ref(&row)).unwrap_or_default();
            // The first text is about the row itself, and the others are the values that it lists.
            let mut kind = PROSE;
            for text in markdown::sections(item.as_str()).concat() {
                self.texts.add(texts, kind, &text);
                kind = LISTED;
            }
        }
        self.found.extend(found);
    }
}

/// Returns the entry of a row, whose name follows that of the value that it is in.
fn part<'a>(
    target: PageTarget,
    kind: SearchKind,
    row: &Row<'_>,
    parent_name: &str,
    strings: &Strings,
) -> SearchEntry<'a> {
    let (kind, name) = match row.name {
        // The page itself has the name.
        RowName::Params | RowName::Result | RowName::Item | RowName::Type(_) => {
            (SearchKind::Part, Cow::from(""))
        }
        _ => (kind, row.name.text(strings)),
    };
    let name = match parent_name {
        "" => name.into_owned(),
        _ => format!("{parent_name}.{name}"),
    };
    let is_head = matches!(row.name, RowName::Type(_));
    SearchEntry {
        anchor: (!is_head).then(|| row.id.clone()),
        ..SearchEntry::new(kind, target, name)
    }
}
