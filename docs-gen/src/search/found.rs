//! The entries of a service's pages in the search index, page by page.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use docent_describe::{ProcedureDescription, code};

use crate::json_text;
use crate::plan::Target;
use crate::schema::{self, Layers, SharedSchemas, Tree, TreeEntry};
use crate::service::Service;
use crate::strings::Strings;

/// The most further words of a page, or of a part of it, that are searched.
const MOST_WORDS: usize = 200;

/// The deepest values that are listed one by one, and the most of one parameter, result or type.
const DEEPEST: usize = 6;
const MOST_PARTS: usize = 200;

/// The kind of a line of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Procedure,
    Type,
    Group,
    /// A section of the overview.
    Section,
    /// An error of the protocol.
    Code,
    /// A code that procedures declare.
    Error,
    /// A parameter, or a value in one.
    Param,
    /// A value in a result.
    Returned,
    /// A value in a shared type.
    Field,
    /// An error that a procedure declares.
    Declared,
}

impl Kind {
    /// Returns whether it is a part of the page that was found last.
    pub(crate) fn is_part(self) -> bool {
        matches!(
            self,
            Self::Param | Self::Returned | Self::Field | Self::Declared
        )
    }

    /// Returns its letter in the index.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Procedure => "p",
            Self::Type => "t",
            Self::Group => "g",
            Self::Section => "s",
            Self::Code => "e",
            Self::Error => "r",
            _ => "",
        }
    }
}

/// An entry for something that a reader may look for.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) kind: Kind,
    /// The page.
    pub(crate) target: Target,
    /// The anchor on the page, or `None` for the page itself.
    pub(crate) anchor: Option<String>,
    pub(crate) name: Cow<'a, str>,
    pub(crate) summary: &'a str,
    /// Further words by which it can be found.
    pub(crate) words: String,
}

/// Passes on everything that can be found on the pages of a service.
pub(crate) fn each<'a>(
    service: &'a Service,
    strings: &'a Strings,
    take: &mut dyn FnMut(Found<'a>),
) {
    overview(service, strings, take);
    for index in 0..service.options.description.procs.len() {
        procedure(service, strings, index, take);
    }
    let schemas = &service.options.description.components.schemas;
    for (index, (name, schema)) in schemas.iter().enumerate() {
        let target = Target::Type(index);
        let text = |member| schema::text_of(schema, member).unwrap_or_default();
        let summary = text("description");
        let mut words = Words::default();
        words.add(text("title"));
        words.add(summary);
        take(Found {
            kind: Kind::Type,
            target,
            anchor: None,
            name: name.into(),
            summary,
            words: words.take(),
        });
        let mut tree = Tree::folded(schemas, strings);
        tree.value("field", TreeEntry::of_type("", schema));
        parts(Kind::Field, target, schemas, &mut tree, take);
    }
    for (index, group) in service.plan.groups.iter().enumerate() {
        if let Some(name) = &group.name {
            take(Found {
                kind: Kind::Group,
                target: Target::Group(index, 0),
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
fn errors<'a>(service: &'a Service, take: &mut dyn FnMut(Found<'a>)) {
    let procs = &service.options.description.procs;
    for (index, (code, users)) in service.plan.codes.iter().enumerate() {
        let errors = users.iter().flat_map(|&user| &procs[user].errors);
        let errors = errors.filter(|error| error.code == *code);
        let mut words = Words::default();
        let mut first = None;
        for error in errors.take(MOST_WORDS) {
            first.get_or_insert(error.message.as_str());
            words.add(&error.message);
        }
        take(Found {
            kind: Kind::Error,
            target: Target::Code(index),
            anchor: None,
            name: code.to_string().into(),
            summary: first.unwrap_or_default(),
            words: words.take(),
        });
    }
}

/// Passes on the sections of the overview, and the errors of the protocol.
fn overview<'a>(service: &'a Service, strings: &'a Strings, take: &mut dyn FnMut(Found<'a>)) {
    let description = &service.options.description;
    let mut section = |key: &'static str, anchor: &str, summary: &'a str, words: &str| {
        let target = if key == "changes" {
            Target::Changes
        } else {
            Target::Overview
        };
        take(Found {
            kind: Kind::Section,
            target,
            anchor: (!anchor.is_empty()).then(|| anchor.to_owned()),
            name: strings.get(key).into(),
            summary,
            words: words.to_owned(),
        });
    };
    let mut words = Words::default();
    words.add(&description.name);
    words.add(description.description.as_deref().unwrap_or_default());
    let summary = description.summary.as_deref().unwrap_or_default();
    section("overview", "", summary, &words.take());
    if service.plan.has_changes {
        section("changes", "", "", "");
    }
    section("procedures", "procedures", "", "");
    section("calling", "calling", "", "HTTP POST JSON-RPC");
    section("conventions", "conventions", "", "batch notification");
    if !service.options.limits.is_empty() {
        let limits = service.options.limits.iter();
        let names: Vec<&str> = limits.map(|(name, _)| name.as_str()).collect();
        section("limits", "limits", "", &names.join(" "));
    }
    if !description.security_schemes.is_empty() {
        let names: Vec<&str> = description
            .security_schemes
            .keys()
            .map(|name| &**name)
            .collect();
        section("access", "access", "", &names.join(" "));
    }
    section("errors.protocol", "errors", "", "");
    if !service.plan.types.is_empty() {
        section("types", "types", "", "");
    }
    section(
        "downloads",
        "downloads",
        "",
        "description.json openrpc.json llms.txt",
    );
    let is_foreign = service.options.is_foreign();
    let rows = code::TABLE.iter();
    for row in rows.filter(|row| !is_foreign || code::SPECIFIED.contains(&row.code)) {
        let what = if is_foreign { "specified" } else { "when" };
        let key = format!("protocol.{}.{what}", row.code);
        take(Found {
            kind: Kind::Code,
            target: Target::Overview,
            anchor: Some(format!("code{}", row.code)),
            name: format!("{} {}", row.code, row.message).into(),
            summary: strings.find(&key).unwrap_or_default(),
            words: String::new(),
        });
    }
}

fn procedure<'a>(
    service: &'a Service,
    strings: &'a Strings,
    index: usize,
    take: &mut dyn FnMut(Found<'a>),
) {
    let procedure = &service.options.description.procs[index];
    let target = Target::Procedure(index);
    take(Found {
        kind: Kind::Procedure,
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
        parts(Kind::Param, target, shared, &mut tree, take);
    }
    if let Some(returns) = &procedure.returns {
        tree.value("return", TreeEntry::of_result("", returns));
        parts(Kind::Returned, target, shared, &mut tree, take);
    }
    for error in procedure.errors.iter().take(100) {
        let path = format!("error.{}", error.code);
        let mut words = Words::default();
        words.add(error.description.as_deref().unwrap_or_default());
        take(Found {
            kind: Kind::Declared,
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
    kind: Kind,
    target: Target,
    shared: &SharedSchemas,
    tree: &mut Tree<'a>,
    take: &mut dyn FnMut(Found<'a>),
) {
    let mut found: Vec<(String, TreeEntry<'a>, Words)> = Vec::new();
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
                found.push((name, entry, Words::default()));
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
            take(Found {
                kind,
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
    for param in &procedure.params {
        schema::collect_refs(&param.schema, &mut types);
    }
    if let Some(returns) = &procedure.returns {
        schema::collect_refs(&returns.schema, &mut types);
    }
    let mut words = Words::default();
    let aliases = procedure.params.iter().flat_map(|param| &param.aliases);
    for name in types.iter().chain(&procedure.tags) {
        words.add(name);
    }
    for name in procedure.security.keys() {
        words.add(name);
    }
    for alias in aliases {
        words.add(&alias.name);
    }
    let deprecated = procedure.deprecated.as_ref();
    let texts = [
        procedure.description.as_deref(),
        deprecated.and_then(|deprecation| deprecation.reason.as_deref()),
    ];
    texts.into_iter().flatten().for_each(|text| words.add(text));
    for example in &procedure.examples {
        words.add(example.summary.as_deref().unwrap_or_default());
    }
    words.take()
}

/// Returns the words of a text, each once.
pub(super) fn words(text: &str) -> String {
    let mut words = Words::default();
    words.add(text);
    words.take()
}

/// A set of words, joined into a text.
#[derive(Debug, Default)]
pub(super) struct Words {
    text: String,
    known: HashSet<String>,
}

impl Words {
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
