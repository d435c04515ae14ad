//! The entries of a service's pages in the search index, page by page.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use docent_describe::render::INPUT_SCHEMA;
use docent_describe::schema::references;
use docent_describe::{ProcedureDescription, ServiceDescription, code};

use crate::json_text;
use crate::plan::PageTarget;
use crate::schema::{RUN_LENGTH, Row, RowName, RowTree, ServiceSchemas};
use crate::service::SiteService;
use crate::site::Site;
use crate::strings::Strings;

/// The most further words of a page, or of a part of it, that are searched.
const MOST_WORDS: usize = 200;

/// The deepest values that are listed one by one, and the most of one parameter, result or type.
const DEEPEST: usize = 6;
const MOST_PARTS: usize = 200;

/// The kind of a line of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchKind {
    /// A service of a catalogue.
    Service,
    Procedure,
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
#[derive(Debug)]
pub(crate) struct SearchEntry<'a> {
    pub(crate) kind: SearchKind,
    /// The page.
    pub(crate) target: PageTarget,
    /// The anchor on the page, or `None` for the page itself.
    pub(crate) anchor: Option<String>,
    pub(crate) name: Cow<'a, str>,
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
}

/// How much of a service is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The service and its pages, by name and summary.
    Pages,
    /// Also what stands on the pages.
    Parts,
}

/// Passes on what can be found on the pages of a service.
pub(crate) fn each<'a>(
    service: &'a SiteService,
    depth: Depth,
    strings: &'a Strings,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let description = &service.options.description;
    match depth {
        Depth::Parts => overview(service, strings, take),
        Depth::Pages => take(SearchEntry {
            summary: description.summary.as_deref().unwrap_or_default().into(),
            ..SearchEntry::new(SearchKind::Service, PageTarget::Overview, &description.name)
        }),
    }
    for start in (0..description.procs.len()).step_by(RUN_LENGTH) {
        let schemas = service.schemas();
        let end = description.procs.len().min(start + RUN_LENGTH);
        for index in start..end {
            procedure(service, index, depth, take);
            if depth == Depth::Parts {
                parts_of_procedure(&schemas, service, index, strings, take);
            }
        }
    }
    let types = &description.components.schemas;
    for start in (0..types.len()).step_by(RUN_LENGTH) {
        let schemas = service.schemas();
        for (index, name) in types.keys().enumerate().skip(start).take(RUN_LENGTH) {
            shared_type(&schemas, index, name, depth, strings, take);
        }
    }
    let groups = service.plan.groups.iter().enumerate();
    for (index, group) in groups.filter(|_| depth == Depth::Parts) {
        if let Some(name) = &group.name {
            let target = PageTarget::Group(index, 0);
            take(SearchEntry::new(SearchKind::Group, target, name));
        }
    }
    errors(service, depth == Depth::Parts, take);
}

fn shared_type<'a, 's>(
    schemas: &'s ServiceSchemas<'s>,
    index: usize,
    name: &'a str,
    depth: Depth,
    strings: &Strings,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let Some((_, node)) = schemas.views.tree.shared(name) else {
        return;
    };
    let target = PageTarget::Type(index);
    let annotations = &node.annotations;
    let summary = annotations.description.unwrap_or_default();
    let mut entry = SearchEntry::new(SearchKind::Type, target, name);
    entry.summary = Cow::Owned(summary.to_owned());
    if depth == Depth::Parts {
        entry.words = words([annotations.title.unwrap_or_default(), summary]);
    }
    take(entry);
    if depth == Depth::Parts {
        let mut tree = RowTree::folded(&schemas.views);
        tree.shared_type("", node);
        parts(target, strings, tree.take(), take);
    }
}

/// Passes on the guides of a site and their headings.
pub(crate) fn guides<'a>(site: &'a Site, take: &mut dyn FnMut(SearchEntry<'a>)) {
    for (at, guide) in site.guides.iter().enumerate() {
        let target = PageTarget::Guide(at);
        take(SearchEntry {
            words: words([&*guide.source]),
            ..SearchEntry::new(SearchKind::Guide, target, &guide.title)
        });
        for heading in &guide.headings {
            take(SearchEntry {
                anchor: Some(heading.anchor()),
                ..SearchEntry::new(SearchKind::Part, target, &heading.text)
            });
        }
    }
}

/// Passes on the codes that procedures declare. Each is named by its number alone, so that a search
/// for the number finds its page first, and a search for a message finds the procedures that return it
/// first. Of a brief index, the first message is enough.
fn errors<'a>(service: &'a SiteService, all: bool, take: &mut dyn FnMut(SearchEntry<'a>)) {
    let most = if all { MOST_WORDS } else { 0 };
    let procs = &service.options.description.procs;
    for (index, (code, users)) in service.plan.codes.iter().enumerate() {
        let mut messages = users
            .iter()
            .flat_map(|&user| &procs[user].errors)
            .filter(|error| error.code == *code)
            .map(|error| &*error.message)
            .peekable();
        take(SearchEntry {
            summary: messages.peek().copied().unwrap_or_default().into(),
            words: words(messages.take(most)),
            ..SearchEntry::new(SearchKind::Error, PageTarget::Code(index), code.to_string())
        });
    }
}

/// Passes on the sections of the overview, and the errors of the protocol.
fn overview<'a>(
    service: &'a SiteService,
    strings: &'a Strings,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let description = &service.options.description;
    let summary = description.summary.as_deref().unwrap_or_default();
    let about = description.description.as_deref().unwrap_or_default();
    let name = strings.get("overview");
    take(SearchEntry {
        summary: summary.into(),
        words: words([&description.name, about]),
        ..SearchEntry::new(SearchKind::Section, PageTarget::Overview, name)
    });
    if service.plan.has_changes {
        let name = strings.get("changes");
        let changes = SearchEntry::new(SearchKind::Section, PageTarget::Changes, name);
        take(changes);
    }
    let limits = &service.options.limits;
    let limit_names = words(limits.iter().map(|(name, _)| &**name));
    let schemes = &description.security_schemes;
    let scheme_names = words(schemes.keys().map(|name| &**name));
    let sections = [
        ("procedures", "procedures", "", true),
        ("calling", "calling", "HTTP POST JSON-RPC", true),
        ("conventions", "conventions", "batch notification", true),
        ("limits", "limits", &limit_names, !limits.is_empty()),
        ("access", "access", &scheme_names, !schemes.is_empty()),
        ("errors.protocol", "errors", "", true),
        ("types", "types", "", !service.plan.types.is_empty()),
        (
            "downloads",
            "downloads",
            "description.json openrpc.json openapi.json llms.txt",
            true,
        ),
    ];
    for (key, anchor, words, _) in sections.into_iter().filter(|(.., is_there)| *is_there) {
        let name = strings.get(key);
        take(SearchEntry {
            anchor: Some(anchor.to_owned()),
            words: words.to_owned(),
            ..SearchEntry::new(SearchKind::Section, PageTarget::Overview, name)
        });
    }
    let is_foreign = service.options.is_foreign();
    let rows = code::TABLE.iter();
    for row in rows.filter(|row| !is_foreign || code::SPECIFIED.contains(&row.code)) {
        let what = if is_foreign { "specified" } else { "when" };
        let key = format!("protocol.{}.{what}", row.code);
        let name = format!("{} {}", row.code, row.message);
        take(SearchEntry {
            anchor: Some(format!("code{}", row.code)),
            summary: strings.find(&key).unwrap_or_default().into(),
            ..SearchEntry::new(SearchKind::Code, PageTarget::Overview, name)
        });
    }
}

fn procedure<'a>(
    service: &'a SiteService,
    index: usize,
    depth: Depth,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let procedure = &service.options.description.procs[index];
    let words = match depth {
        Depth::Parts => words_of(&service.options.description, procedure),
        Depth::Pages => String::new(),
    };
    take(SearchEntry {
        summary: procedure.summary.as_deref().unwrap_or_default().into(),
        words,
        ..SearchEntry::new(
            SearchKind::Procedure,
            PageTarget::Procedure(index),
            &procedure.name,
        )
    });
}

/// Passes on what stands on the page of a procedure.
fn parts_of_procedure<'a, 's>(
    schemas: &'s ServiceSchemas<'s>,
    service: &'s SiteService,
    index: usize,
    strings: &Strings,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let procedure = &service.options.description.procs[index];
    let target = PageTarget::Procedure(index);
    let mut tree = RowTree::folded(&schemas.views);
    match procedure.extensions.get(INPUT_SCHEMA) {
        Some(whole) => tree.params_together(whole),
        None => procedure.params.iter().for_each(|param| tree.param(param)),
    }
    parts(target, strings, tree.take(), take);
    if let Some(returns) = &procedure.returns {
        tree.result(returns);
        parts(target, strings, tree.take(), take);
    }
    for error in procedure.errors.iter().take(100) {
        let name = format!("{} {}", error.code, error.message);
        take(SearchEntry {
            anchor: Some(tree.ids.assign(&format!("error.{}", error.code))),
            words: words(error.description.as_deref()),
            ..SearchEntry::new(SearchKind::Part, target, name)
        });
    }
}

/// A part of a page that is found.
struct FoundPart {
    name: String,
    /// The anchor, or `None` for the head of the page.
    anchor: Option<String>,
    words: WordSet,
}

/// Passes on the values of rows, each under its name and those of the values around it.
fn parts<'a>(
    target: PageTarget,
    strings: &Strings,
    rows: Vec<Row<'_>>,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let mut found: Vec<FoundPart> = Vec::new();
    // The values around the next one, by their places in `found`.
    let mut around: Vec<usize> = Vec::new();
    let rows = rows.into_iter().filter(|row| row.depth <= DEEPEST);
    for row in rows.take(MOST_PARTS) {
        around.truncate(row.depth);
        let outer = around.last().copied();
        let at = match outer {
            // Only what is said of a label can be looked for.
            Some(outer) if row.name.is_label() => outer,
            _ => {
                found.push(FoundPart::new(
                    &row,
                    outer.map(|outer| &*found[outer].name),
                    strings,
                ));
                found.len() - 1
            }
        };
        around.push(at);
        let words = &mut found[at].words;
        words.add(row.texts.iter().map(|text| text.text));
        for listed in row.values.iter().take(MOST_WORDS) {
            match listed.value.as_str() {
                Some(text) => words.add([text]),
                None => words.add([&*json_text::brief(listed.value, 60)]),
            }
            words.add(listed.about.and_then(|about| about.annotations.description));
        }
    }
    for part in found {
        if !part.name.is_empty() || !part.words.text.is_empty() {
            take(SearchEntry {
                anchor: part.anchor,
                words: part.words.text,
                ..SearchEntry::new(SearchKind::Part, target, part.name)
            });
        }
    }
}

impl FoundPart {
    fn new(row: &Row<'_>, outer: Option<&str>, strings: &Strings) -> Self {
        let name = match row.name {
            // The page itself has the name.
            RowName::Params | RowName::Result | RowName::Type(_) => Cow::from(""),
            _ => row.name.text(strings),
        };
        let name = match outer {
            Some(outer) if !outer.is_empty() => format!("{outer}.{name}"),
            _ => name.into_owned(),
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
/// required credentials and the shared types in it.
fn words_of(service: &ServiceDescription, procedure: &ProcedureDescription) -> String {
    let types = &service.components.schemas;
    let returns = procedure.returns.iter().map(|returns| &returns.schema);
    let used: BTreeSet<usize> = procedure
        .params
        .iter()
        .map(|param| &param.schema)
        .chain(returns)
        .flat_map(|schema| references(schema, types))
        .collect();
    let used = used.into_iter().filter_map(|place| types.get_index(place));
    let aliases = procedure.params.iter().flat_map(|param| &param.aliases);
    let names = used
        .map(|(name, _)| name)
        .chain(&procedure.tags)
        .chain(procedure.security.keys())
        .chain(aliases.map(|alias| &alias.name));
    let deprecated = procedure.deprecated.as_ref();
    let reason = deprecated.and_then(|deprecated| deprecated.reason.as_ref());
    let summaries = procedure
        .examples
        .iter()
        .filter_map(|example| example.summary.as_ref());
    let texts = procedure.description.iter().chain(reason).chain(summaries);
    words(names.chain(texts).map(String::as_str))
}

/// Returns the words of texts, each once.
fn words<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut words = WordSet::default();
    words.add(texts);
    words.text
}

/// A set of words, joined into a text.
#[derive(Debug, Default)]
struct WordSet {
    text: String,
    known: HashSet<String>,
}

impl WordSet {
    /// Adds the words of texts.
    fn add<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        let is_mark = |it: char| !it.is_alphanumeric() && it != '_' && it != '-';
        for word in texts.into_iter().flat_map(str::split_whitespace) {
            let word = word.trim_matches(is_mark);
            if self.known.len() < MOST_WORDS
                && word.chars().nth(1).is_some()
                && self.known.insert(word.to_lowercase())
            {
                if !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.text.push_str(word);
            }
        }
    }
}
