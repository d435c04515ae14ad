//! The entries of a service's pages in the search index, page by page.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use docent_describe::{ProcedureDescription, code};

use crate::json_text;
use crate::plan::PageTarget;
use crate::schema::{self, Layers, SharedSchemas, Tree, TreeEntry};
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
    pub(crate) summary: &'a str,
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
            summary: "",
            words: String::new(),
        }
    }
}

/// Passes on everything that can be found on the pages of a service or, without its shared schemas, only
/// the service and its pages by name and summary.
pub(crate) fn each<'a>(
    service: &'a SiteService,
    shared: Option<&'a SharedSchemas<'a>>,
    strings: &'a Strings,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let description = &service.options.description;
    if shared.is_some() {
        overview(service, strings, take);
    } else {
        take(SearchEntry {
            summary: description.summary.as_deref().unwrap_or_default(),
            ..SearchEntry::new(SearchKind::Service, PageTarget::Overview, &description.name)
        });
    }
    for index in 0..description.procs.len() {
        procedure(service, shared, strings, index, take);
    }
    for (index, (name, schema)) in description.components.schemas.iter().enumerate() {
        let target = PageTarget::Type(index);
        let text = |member| schema::text_of(schema, member).unwrap_or_default();
        let summary = text("description");
        let found = shared.map(|_| words([text("title"), summary]));
        take(SearchEntry {
            summary,
            words: found.unwrap_or_default(),
            ..SearchEntry::new(SearchKind::Type, target, name)
        });
        if let Some(shared) = shared {
            let mut tree = Tree::folded(shared, strings);
            tree.value("field", TreeEntry::of_type("", schema));
            parts(target, shared, &mut tree, take);
        }
    }
    let groups = service.plan.groups.iter().enumerate();
    for (index, group) in groups.filter(|_| shared.is_some()) {
        if let Some(name) = &group.name {
            let target = PageTarget::Group(index, 0);
            take(SearchEntry::new(SearchKind::Group, target, name));
        }
    }
    errors(service, shared.is_some(), take);
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
        let errors = users.iter().flat_map(|&user| &procs[user].errors);
        let errors = errors.filter(|error| error.code == *code);
        let mut messages = errors.map(|error| &*error.message).peekable();
        take(SearchEntry {
            summary: messages.peek().copied().unwrap_or_default(),
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
        summary,
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
            summary: strings.find(&key).unwrap_or_default(),
            ..SearchEntry::new(SearchKind::Code, PageTarget::Overview, name)
        });
    }
}

fn procedure<'a>(
    service: &'a SiteService,
    shared: Option<&'a SharedSchemas<'a>>,
    strings: &'a Strings,
    index: usize,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let procedure = &service.options.description.procs[index];
    let target = PageTarget::Procedure(index);
    take(SearchEntry {
        summary: procedure.summary.as_deref().unwrap_or_default(),
        words: shared.map_or_else(String::new, |_| words_of(procedure)),
        ..SearchEntry::new(SearchKind::Procedure, target, &procedure.name)
    });
    let Some(shared) = shared else { return };
    let mut tree = Tree::folded(shared, strings);
    for param in &procedure.params {
        let path = format!("param.{}", param.name);
        tree.value(&path, TreeEntry::of_param(param));
        parts(target, shared, &mut tree, take);
    }
    if let Some(returns) = &procedure.returns {
        tree.value("return", TreeEntry::of_result("", returns));
        parts(target, shared, &mut tree, take);
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

/// Passes on the values that were added to a tree since the last call, each under its name and those
/// of the values around it.
fn parts<'a>(
    target: PageTarget,
    shared: &'a SharedSchemas<'a>,
    tree: &mut Tree<'a>,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let mut found: Vec<(String, TreeEntry<'a>, WordSet)> = Vec::new();
    // The values around the next one, by their places in `found`.
    let mut around: Vec<usize> = Vec::new();
    let entries = tree.take().into_iter().filter(|it| it.depth <= DEEPEST);
    for entry in entries.take(MOST_PARTS) {
        around.truncate(entry.depth);
        let layers = Layers::of(shared, &entry.schemas);
        let at = match around.last() {
            // Only what is said of a label can be looked for.
            Some(&outer) if entry.label => outer,
            outer => {
                let name = match outer.map(|&at| found[at].0.as_str()) {
                    Some(outer) if !outer.is_empty() => format!("{outer}.{}", entry.name),
                    _ => entry.name.clone(),
                };
                found.push((name, entry, WordSet::default()));
                found.len() - 1
            }
        };
        around.push(at);
        let (_, entry, words) = &mut found[at];
        words.add(entry.text);
        for layer in &layers.schemas {
            words.add(schema::text_of(layer, "description"));
            words.add(schema::text_of(layer, "title"));
        }
        for value in layers.allowed().unwrap_or_default().iter().take(MOST_WORDS) {
            match value.value.as_str() {
                Some(text) => words.add([text]),
                None => words.add([&*json_text::brief(value.value, 60)]),
            }
            let about = value.about;
            words.add(about.and_then(|about| schema::text_of(about, "description")));
        }
    }
    for (name, entry, words) in found {
        if !name.is_empty() || !words.text.is_empty() {
            take(SearchEntry {
                // The anchor of a type itself is the head of its page.
                anchor: (!entry.headed).then_some(entry.id),
                words: words.text,
                ..SearchEntry::new(SearchKind::Part, target, name)
            });
        }
    }
}

/// Returns the words that are about all of a procedure: its description, tags, examples' names,
/// required credentials and the shared types in it.
fn words_of(procedure: &ProcedureDescription) -> String {
    let mut types = BTreeSet::new();
    let returns = procedure.returns.iter().map(|returns| &returns.schema);
    let params = procedure.params.iter();
    for schema in params.map(|param| &param.schema).chain(returns) {
        schema::collect_refs(schema, &mut types);
    }
    let aliases = procedure.params.iter().flat_map(|param| &param.aliases);
    let names = types.iter().chain(&procedure.tags);
    let names = names.chain(procedure.security.keys());
    let names = names.chain(aliases.map(|alias| &alias.name));
    let deprecated = procedure.deprecated.as_ref();
    let reason = deprecated.and_then(|deprecated| deprecated.reason.as_ref());
    let summaries = procedure.examples.iter();
    let summaries = summaries.filter_map(|example| example.summary.as_ref());
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
