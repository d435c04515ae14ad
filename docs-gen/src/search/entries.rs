//! The entries of a service's pages in the search index, page by page.
//!
//! An entry is what a reader may look for: a page, or a part of one that has an anchor. The index
//! (`search`) and the page of all names (`view/names.rs`) are both written from them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use docent_describe::schema::references;
use docent_describe::{ProcedureDescription, ServiceDescription};

use super::words::{MAX_WORDS, WordSet, words};
use crate::json_text;
use crate::links::Links;
use crate::plan::PageTarget;
use crate::schema::{RUN_LENGTH, Row, RowName, RowTree, ServiceSchemas};
use crate::service::SiteService;
use crate::site::Site;
use crate::strings::Strings;

/// The maximum depth of values that have entries of their own.
const MAX_PART_DEPTH: usize = 6;

/// The maximum number of entries of the values in all parameters, in a result or in a type.
const MAX_PARTS: usize = 200;

/// The kind of a line of the index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchKind {
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
    /// A part of the page that was found last: a parameter, a value in one, a declared error, or a
    /// heading.
    Part,
}

impl SearchKind {
    /// Returns its letter in the index, and the key of the word for such a page.
    pub(crate) fn keys(self) -> (&'static str, &'static str) {
        match self {
            Self::Service => ("v", "names.service"),
            Self::Procedure => ("p", "names.procedure"),
            Self::Subscription => ("u", "mark.subscription"),
            Self::Sent => ("n", "mark.sent"),
            Self::Type => ("t", "type.word"),
            Self::Group => ("g", "names.group"),
            Self::Section => ("s", "names.section"),
            Self::Code => ("e", "names.code"),
            Self::Error => ("r", "names.error"),
            Self::Guide => ("d", "names.guide"),
            Self::Part => ("", "names.section"),
        }
    }
}

/// An entry for something that a reader may look for.
pub(crate) struct SearchEntry<'a> {
    pub(crate) kind: SearchKind,
    /// The page.
    pub(crate) target: PageTarget,
    /// The anchor on the page, or `None` for the page itself.
    pub(crate) anchor: Option<String>,
    /// The name to look for.
    pub(crate) name: Cow<'a, str>,
    /// The summary, which is searched and shown.
    pub(crate) summary: Cow<'a, str>,
    /// Further words by which it can be found.
    pub(crate) words: String,
}

impl<'a> SearchEntry<'a> {
    /// Creates the entry of a page that is found by its name only.
    fn new(kind: SearchKind, target: PageTarget, name: impl Into<Cow<'a, str>>) -> Self {
        Self {
            kind,
            target,
            anchor: None,
            name: name.into(),
            summary: Cow::Borrowed(""),
            words: String::new(),
        }
    }

    /// Returns the address of what is found.
    pub(crate) fn href(&self, links: &Links<'_>) -> String {
        match &self.anchor {
            Some(anchor) => links.to_anchor(self.target, anchor),
            None => links.to(self.target),
        }
    }
}

/// All entries of services, which the index and the page of names share.
#[derive(Default)]
pub(crate) struct SearchEntries<'a> {
    /// The entries of each service, by its folder.
    services: HashMap<&'a str, Rc<[SearchEntry<'a>]>>,
}

impl<'a> SearchEntries<'a> {
    /// Returns the entries of a service, which are found when they are first asked for.
    pub(crate) fn for_service(
        &mut self,
        service: &'a SiteService,
        strings: &'a Strings,
    ) -> Rc<[SearchEntry<'a>]> {
        let found = self
            .services
            .entry(&service.plan.prefix)
            .or_insert_with(|| find_entries(service, IndexDetail::Parts, strings).into());
        Rc::clone(found)
    }
}

/// The detail in which a service is searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexDetail {
    /// The service and its pages, by name and summary.
    Pages,
    /// Also what stands on the pages.
    Parts,
}

/// Returns what can be found on the pages of a service.
pub(super) fn find_entries<'a>(
    service: &'a SiteService,
    detail: IndexDetail,
    strings: &'a Strings,
) -> Vec<SearchEntry<'a>> {
    let mut finder = EntryFinder {
        service,
        description: &service.options.description,
        has_parts: detail == IndexDetail::Parts,
        strings,
        found: Vec::new(),
    };
    finder.add_pages();
    finder.found
}

/// Returns the guides of a site and their headings.
pub(crate) fn guides(site: &Site) -> Vec<SearchEntry<'_>> {
    let mut found = Vec::new();
    for (at, guide) in site.guides.iter().enumerate() {
        let target = PageTarget::Guide(at);
        found.push(SearchEntry {
            words: words([&*guide.source]),
            ..SearchEntry::new(SearchKind::Guide, target, &guide.title)
        });
        found.extend(guide.headings.iter().map(|heading| SearchEntry {
            anchor: Some(heading.anchor()),
            ..SearchEntry::new(SearchKind::Part, target, &heading.text)
        }));
    }
    found
}

/// Finds the entries of a service.
struct EntryFinder<'a> {
    service: &'a SiteService,
    description: &'a ServiceDescription,
    /// True if what stands on the pages is found too.
    has_parts: bool,
    /// The texts of the interface, for the names of sections.
    strings: &'a Strings,
    /// The entries so far, in the order of the pages.
    found: Vec<SearchEntry<'a>>,
}

impl<'a> EntryFinder<'a> {
    /// Adds the service, its pages, and what stands on them.
    fn add_pages(&mut self) {
        if self.has_parts {
            self.add_single_pages();
            self.add_overview_sections();
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
        let groups = self.service.plan.groups.iter().enumerate();
        for (index, group) in groups.filter(|_| self.has_parts) {
            if let Some(name) = &group.name {
                self.found.push(SearchEntry::new(
                    SearchKind::Group,
                    PageTarget::Group(index, 0),
                    name,
                ));
            }
        }
        self.add_errors();
    }

    /// Returns the summary of the service.
    fn summary(&self) -> Cow<'a, str> {
        self.description
            .summary
            .as_deref()
            .unwrap_or_default()
            .into()
    }

    /// Adds a shared type, and what stands on its page.
    fn add_shared_type<'s>(&mut self, schemas: &'s ServiceSchemas<'s>, index: usize) {
        let types = &self.service.plan.types;
        let Some((name, _)) = types.get_index(index) else {
            return;
        };
        let Some((_, node)) = schemas.views.tree.shared(name) else {
            return;
        };
        let target = PageTarget::Type(index);
        let annotations = &node.annotations;
        let summary = annotations.description.unwrap_or_default();
        let mut entry = SearchEntry::new(SearchKind::Type, target, name);
        entry.summary = Cow::Owned(summary.to_owned());
        if !self.has_parts {
            self.found.push(entry);
            return;
        }
        entry.words = words([annotations.title.unwrap_or_default(), summary]);
        self.found.push(entry);
        let mut tree = RowTree::folded(&schemas.views);
        tree.add_shared_type("", node);
        self.add_parts(target, tree.take_rows());
    }

    /// Adds the codes that procedures declare. Each is named by its number alone, so that a search for the
    /// number finds its page first, and a search for a message finds the procedures that return it first.
    /// Of a brief index, the first message is enough.
    fn add_errors(&mut self) {
        let most = if self.has_parts { MAX_WORDS } else { 0 };
        let procs = &self.description.procs;
        for (index, (code, users)) in self.service.plan.codes.iter().enumerate() {
            let mut messages = users
                .iter()
                .flat_map(|&user| &procs[user].errors)
                .filter(|error| error.code == *code)
                .map(|error| &*error.message)
                .peekable();
            self.found.push(SearchEntry {
                summary: messages.peek().copied().unwrap_or_default().into(),
                words: words(messages.take(most)),
                ..SearchEntry::new(SearchKind::Error, PageTarget::Code(index), code.to_string())
            });
        }
    }

    /// Returns the entry of a section of the overview, or of a page.
    fn section_entry(&self, target: PageTarget, key: &'a str) -> SearchEntry<'a> {
        SearchEntry::new(SearchKind::Section, target, self.strings.get(key))
    }

    /// Adds the pages that the service has once.
    fn add_single_pages(&mut self) {
        let description = self.description;
        for page in self.service.plan.single_pages() {
            let mut entry = self.section_entry(page.target, page.name_key);
            if page.target == PageTarget::Overview {
                let about = description.description.as_deref().unwrap_or_default();
                entry.summary = self.summary();
                entry.words = words([&description.name, about]);
            }
            self.found.push(entry);
        }
    }

    /// Adds the sections of the overview, and the errors of the protocol.
    fn add_overview_sections(&mut self) {
        let description = self.description;
        let limits = &self.service.options.limits;
        let schemes = &description.security_schemes;
        let sections = [
            ("procedures", "", true),
            ("calling", "HTTP POST JSON-RPC", true),
            ("conventions", "batch notification", true),
            (
                "limits",
                &words(limits.iter().map(|(name, _)| &**name)),
                !limits.is_empty(),
            ),
            (
                "access",
                &words(schemes.keys().map(docent_describe::json::Name::as_str)),
                !schemes.is_empty(),
            ),
            ("errors.protocol", "", true),
            ("types", "", !self.service.plan.types.is_empty()),
            (
                "downloads",
                "description.json openrpc.json openapi.json llms.txt",
                true,
            ),
        ];
        for (key, words, _) in sections.into_iter().filter(|(.., is_there)| *is_there) {
            self.found.push(SearchEntry {
                anchor: key.split('.').next().map(str::to_owned),
                words: words.to_owned(),
                ..self.section_entry(PageTarget::Overview, key)
            });
        }
        for error in self.service.options.protocol_errors() {
            let name = format!("{} {}", error.code, error.message);
            let when = self.service.options.when_returned(error.code, self.strings);
            self.found.push(SearchEntry {
                anchor: Some(format!("code{}", error.code)),
                summary: when.into(),
                ..SearchEntry::new(SearchKind::Code, PageTarget::Overview, name)
            });
        }
    }

    /// Adds a procedure, and what stands on its page.
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
        entry.summary = procedure.summary.as_deref().unwrap_or_default().into();
        if !self.has_parts {
            self.found.push(entry);
            return;
        }
        entry.words = procedure_words(self.description, procedure);
        self.found.push(entry);
        let mut tree = RowTree::folded(&schemas.views);
        tree.add_params(procedure);
        self.add_parts(target, tree.take_rows());
        tree.add_result(procedure);
        self.add_parts(target, tree.take_rows());
        for error in procedure.errors.iter().take(100) {
            let name = format!("{} {}", error.code, error.message);
            self.found.push(SearchEntry {
                anchor: Some(tree.ids.assign(&format!("error.{}", error.code))),
                words: words(error.description.as_deref()),
                ..SearchEntry::new(SearchKind::Part, target, name)
            });
        }
    }

    /// Adds the values of rows, each under its name and those of the values around it.
    fn add_parts(&mut self, target: PageTarget, rows: Vec<Row<'_>>) {
        let mut found: Vec<PartEntry> = Vec::new();
        // The values around the next one, by their places in `found`.
        let mut around: Vec<usize> = Vec::new();
        let rows = rows.into_iter().filter(|row| row.depth <= MAX_PART_DEPTH);
        for row in rows.take(MAX_PARTS) {
            around.truncate(row.depth);
            let at = match around.last() {
                // Only what is said of a label can be looked for.
                Some(outer) if row.name.is_label() => *outer,
                outer => {
                    let outer = outer.map_or("", |outer| &found[*outer].name);
                    found.push(PartEntry::new(&row, outer, self.strings));
                    found.len() - 1
                }
            };
            around.push(at);
            let words = &mut found[at].words;
            words.add(row.texts.iter().map(|text| text.text));
            for listed in row.values.iter().take(MAX_WORDS) {
                match listed.value.as_str() {
                    Some(text) => words.add([text]),
                    None => words.add([&*json_text::brief(listed.value, 60)]),
                }
                words.add(listed.about.and_then(|about| about.annotations.description));
            }
        }
        found.retain(|part| !part.name.is_empty() || !part.words.text.is_empty());
        self.found.extend(found.into_iter().map(|part| SearchEntry {
            anchor: part.anchor,
            words: part.words.text,
            ..SearchEntry::new(SearchKind::Part, target, part.name)
        }));
    }
}

/// A part of a page that is found.
struct PartEntry {
    /// The name, after those of the values around it.
    name: String,
    /// The anchor, or `None` for the head of the page.
    anchor: Option<String>,
    /// Further words by which it can be found.
    words: WordSet,
}

impl PartEntry {
    /// Creates the part for a row. `outer` is the name of the part around it.
    fn new(row: &Row<'_>, outer: &str, strings: &Strings) -> Self {
        let name = match row.name {
            // The page itself has the name.
            RowName::Params | RowName::Result | RowName::Item | RowName::Type(_) => Cow::from(""),
            _ => row.name.text(strings),
        };
        let name = match outer {
            "" => name.into_owned(),
            _ => format!("{outer}.{name}"),
        };
        let is_head = matches!(row.name, RowName::Type(_));
        Self {
            name,
            anchor: (!is_head).then(|| row.id.clone()),
            words: WordSet::default(),
        }
    }
}

/// Returns the words that are about all of a procedure: its description, tags, examples' names,
/// required credentials, the notification of its items, and the shared types in it.
fn procedure_words(service: &ServiceDescription, procedure: &ProcedureDescription) -> String {
    let types = &service.components.schemas;
    let returns = procedure.output().map(|returns| &returns.schema);
    let used: BTreeSet<usize> = procedure
        .params
        .iter()
        .map(|param| &param.schema)
        .chain(returns)
        .flat_map(|schema| references(schema, types))
        .collect();
    let aliases = procedure.params.iter().flat_map(|param| &param.aliases);
    let names = used
        .into_iter()
        .filter_map(|place| Some(types.get_index(place)?.0))
        .chain(&procedure.tags)
        .chain(procedure.credentials().map(|credential| &credential.scheme))
        .chain(aliases.map(|alias| &alias.name))
        .map(String::as_str)
        .chain(procedure.item_notification());
    let deprecated = procedure.deprecated.as_ref();
    let reason = deprecated.and_then(|deprecated| deprecated.reason.as_ref());
    let summaries = procedure
        .examples
        .iter()
        .filter_map(|example| example.summary.as_ref());
    let texts = procedure.description.iter().chain(reason).chain(summaries);
    words(names.chain(texts.map(String::as_str)))
}
