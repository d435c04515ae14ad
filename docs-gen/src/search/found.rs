//! The entries of a service's pages in the search index, page by page.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use docent_describe::{ProcedureDescription, code};

use crate::json_text;
use crate::plan::PageTarget;
use crate::schema::{self, Layers, SharedSchemas, Tree, TreeEntry};
use crate::service::SiteService;
use crate::strings::Strings;

/// The most further words of a page, or of a part of it, that are searched.
const MOST_WORDS: usize = 200;

/// The deepest values that are listed one by one, and the most of one parameter, result or type.
const DEEPEST: usize = 6;
const MOST_PARTS: usize = 200;

/// The kind of a line of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchKind {
    Procedure,
    Type,
    Group,
    /// A section of the overview.
    Section,
    /// An error of the protocol.
    Code,
    /// A code that procedures declare.
    Error,
    /// A part of the page that was found last: a parameter, a value in one, or a declared error.
    Part,
}

impl SearchKind {
    /// Returns its letter in the index.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Procedure => "p",
            Self::Type => "t",
            Self::Group => "g",
            Self::Section => "s",
            Self::Code => "e",
            Self::Error => "r",
            Self::Part => "",
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

/// Passes on everything that can be found on the pages of a service.
pub(crate) fn each<'a>(
    service: &'a SiteService,
    strings: &'a Strings,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    overview(service, strings, take);
    for index in 0..service.options.description.procs.len() {
        procedure(service, strings, index, take);
    }
    let schemas = &service.options.description.components.schemas;
    for (index, (name, schema)) in schemas.iter().enumerate() {
        let target = PageTarget::Type(index);
        let text = |member| schema::text_of(schema, member).unwrap_or_default();
        let summary = text("description");
        let mut words = WordSet::default();
        words.add(text("title"));
        words.add(summary);
        take(SearchEntry {
            kind: SearchKind::Type,
            target,
            anchor: None,
            name: name.into(),
            summary,
            words: words.take(),
        });
        let mut tree = Tree::folded(schemas, strings);
        tree.value("field", TreeEntry::of_type("", schema));
        parts(target, schemas, &mut tree, take);
    }
    for (index, group) in service.plan.groups.iter().enumerate() {
        if let Some(name) = &group.name {
            take(SearchEntry {
                kind: SearchKind::Group,
                target: PageTarget::Group(index, 0),
                anchor: None,
                name: name.into(),
                summary: "",
                words: String::new(),
            });
        }
    }
    errors(service, take);
}

/// Passes on the codes that procedures declare. Each is named by its number alone, so that a search
/// for the number finds its page first, and a search for a message finds the procedures that return it
/// first.
fn errors<'a>(service: &'a SiteService, take: &mut dyn FnMut(SearchEntry<'a>)) {
    let procs = &service.options.description.procs;
    for (index, (code, users)) in service.plan.codes.iter().enumerate() {
        let errors = users.iter().flat_map(|&user| &procs[user].errors);
        let errors = errors.filter(|error| error.code == *code);
        let mut words = WordSet::default();
        let mut first = None;
        for error in errors.take(MOST_WORDS) {
            first.get_or_insert(error.message.as_str());
            words.add(&error.message);
        }
        take(SearchEntry {
            kind: SearchKind::Error,
            target: PageTarget::Code(index),
            anchor: None,
            name: code.to_string().into(),
            summary: first.unwrap_or_default(),
            words: words.take(),
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
    let mut about = WordSet::default();
    about.add(&description.name);
    about.add(description.description.as_deref().unwrap_or_default());
    let mut limits = WordSet::default();
    let limited = service.options.limits.iter();
    limited.for_each(|(name, _)| limits.add(name));
    let mut schemes = WordSet::default();
    let names = description.security_schemes.keys();
    names.for_each(|name| schemes.add(name));
    let files = "description.json openrpc.json llms.txt".to_owned();
    let sections = [
        ("overview", "", about.take(), true),
        ("changes", "", String::new(), service.plan.has_changes),
        ("procedures", "procedures", String::new(), true),
        ("calling", "calling", "HTTP POST JSON-RPC".to_owned(), true),
        (
            "conventions",
            "conventions",
            "batch notification".to_owned(),
            true,
        ),
        (
            "limits",
            "limits",
            limits.take(),
            !service.options.limits.is_empty(),
        ),
        (
            "access",
            "access",
            schemes.take(),
            !description.security_schemes.is_empty(),
        ),
        ("errors.protocol", "errors", String::new(), true),
        (
            "types",
            "types",
            String::new(),
            !service.plan.types.is_empty(),
        ),
        ("downloads", "downloads", files, true),
    ];
    for (key, anchor, words, _) in sections.into_iter().filter(|(.., is_there)| *is_there) {
        let summary = description.summary.as_deref().filter(|_| key == "overview");
        take(SearchEntry {
            kind: SearchKind::Section,
            target: match key {
                "changes" => PageTarget::Changes,
                _ => PageTarget::Overview,
            },
            anchor: (!anchor.is_empty()).then(|| anchor.to_owned()),
            name: strings.get(key).into(),
            summary: summary.unwrap_or_default(),
            words,
        });
    }
    let is_foreign = service.options.is_foreign();
    let rows = code::TABLE.iter();
    for row in rows.filter(|row| !is_foreign || code::SPECIFIED.contains(&row.code)) {
        let what = if is_foreign { "specified" } else { "when" };
        let key = format!("protocol.{}.{what}", row.code);
        take(SearchEntry {
            kind: SearchKind::Code,
            target: PageTarget::Overview,
            anchor: Some(format!("code{}", row.code)),
            name: format!("{} {}", row.code, row.message).into(),
            summary: strings.find(&key).unwrap_or_default(),
            words: String::new(),
        });
    }
}

fn procedure<'a>(
    service: &'a SiteService,
    strings: &'a Strings,
    index: usize,
    take: &mut dyn FnMut(SearchEntry<'a>),
) {
    let procedure = &service.options.description.procs[index];
    let target = PageTarget::Procedure(index);
    take(SearchEntry {
        kind: SearchKind::Procedure,
        target,
        anchor: None,
        name: (&procedure.name).into(),
        summary: procedure.summary.as_deref().unwrap_or_default(),
        words: words_of(procedure),
    });
    let shared = &service.options.description.components.schemas;
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
        let path = format!("error.{}", error.code);
        let mut words = WordSet::default();
        words.add(error.description.as_deref().unwrap_or_default());
        take(SearchEntry {
            kind: SearchKind::Part,
            target,
            anchor: Some(tree.ids.assign(&path)),
            name: format!("{} {}", error.code, error.message).into(),
            summary: "",
            words: words.take(),
        });
    }
}

/// Passes on the values that were added to a tree since the last call, each under its name and those
/// of the values around it.
fn parts<'a>(
    target: PageTarget,
    shared: &SharedSchemas,
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
                let outer = outer
                    .map(|&at| found[at].0.as_str())
                    .filter(|it| !it.is_empty());
                let name = match outer {
                    Some(outer) => format!("{outer}.{}", entry.name),
                    None => entry.name.clone(),
                };
                found.push((name, entry, WordSet::default()));
                found.len() - 1
            }
        };
        around.push(at);
        let (_, entry, words) = &mut found[at];
        words.add(entry.text.unwrap_or_default());
        for layer in &layers.schemas {
            words.add(schema::text_of(layer, "description").unwrap_or_default());
            words.add(schema::text_of(layer, "title").unwrap_or_default());
        }
        for value in layers.allowed().unwrap_or_default().iter().take(MOST_WORDS) {
            match value.value.as_str() {
                Some(text) => words.add(text),
                None => words.add(&json_text::brief(value.value, 60)),
            }
            let about = value
                .about
                .and_then(|about| schema::text_of(about, "description"));
            words.add(about.unwrap_or_default());
        }
    }
    for (name, entry, words) in found {
        let words = words.take();
        if !name.is_empty() || !words.is_empty() {
            take(SearchEntry {
                kind: SearchKind::Part,
                target,
                // The anchor of a type itself is the head of its page.
                anchor: (!entry.headed).then_some(entry.id),
                name: name.into(),
                summary: "",
                words,
            });
        }
    }
}

/// Returns the words that are about all of a procedure: its description, tags, examples' names,
/// required credentials and the shared types in it.
fn words_of(procedure: &ProcedureDescription) -> String {
    let mut types = BTreeSet::new();
    let returns = procedure.returns.iter().map(|returns| &returns.schema);
    for schema in procedure
        .params
        .iter()
        .map(|param| &param.schema)
        .chain(returns)
    {
        schema::collect_refs(schema, &mut types);
    }
    let mut words = WordSet::default();
    let aliases = procedure.params.iter().flat_map(|param| &param.aliases);
    let names = types.iter().chain(&procedure.tags);
    let names = names.chain(procedure.security.keys());
    for name in names.chain(aliases.map(|alias| &alias.name)) {
        words.add(name);
    }
    let deprecated = procedure.deprecated.as_ref();
    words.add(procedure.description.as_deref().unwrap_or_default());
    words.add(
        deprecated
            .and_then(|it| it.reason.as_deref())
            .unwrap_or_default(),
    );
    for example in &procedure.examples {
        words.add(example.summary.as_deref().unwrap_or_default());
    }
    words.take()
}

/// Returns the words of a text, each once.
pub(super) fn words(text: &str) -> String {
    let mut words = WordSet::default();
    words.add(text);
    words.take()
}

/// A set of words, joined into a text.
#[derive(Debug, Default)]
pub(super) struct WordSet {
    text: String,
    known: HashSet<String>,
}

impl WordSet {
    /// Adds the words of a text.
    pub(super) fn add(&mut self, text: &str) {
        for word in text.split_whitespace() {
            let is_mark = |it: char| !it.is_alphanumeric() && it != '_' && it != '-';
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

    pub(super) fn take(self) -> String {
        self.text
    }
}
