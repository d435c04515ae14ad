//! The entries of a service's pages in the search index, page by page.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use docent_describe::{ProcedureDescription, code};

use super::values::{Place, parts};
use crate::plan::Target;
use crate::schema;
use crate::service::Service;
use crate::slug::Slugs;
use crate::strings::Strings;

/// The most further words of a page, or of a part of it, that are searched.
const MOST_WORDS: usize = 200;

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
    // A page tells anchors apart that differ only in case, by those that it has written before. These
    // are not known here, so the second such anchor is found by its page.
    let mut first_of: HashMap<String, String> = HashMap::new();
    let take = &mut |mut found: Found<'a>| {
        if !found.kind.is_part() {
            first_of.clear();
        }
        if let Some(anchor) = &found.anchor {
            let first = first_of.entry(anchor.to_lowercase());
            if first.or_insert_with(|| anchor.clone()) != anchor {
                found.anchor = None;
            }
        }
        take(found);
    };
    overview(service, strings, take);
    for index in 0..service.options.description.procs.len() {
        procedure(service, index, take);
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
        let place = Place::new(Kind::Field, target, "field", "");
        parts(&place, schema, None, take);
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

fn procedure<'a>(service: &'a Service, index: usize, take: &mut dyn FnMut(Found<'a>)) {
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
    for param in &procedure.params {
        let path = format!("param.{}", param.name);
        let place = Place::new(Kind::Param, target, &path, &param.name);
        parts(&place, &param.schema, param.description.as_deref(), take);
    }
    if let Some(returns) = &procedure.returns {
        let place = Place::new(Kind::Returned, target, "return", "");
        let text = returns.description.as_deref();
        parts(&place, &returns.schema, text, take);
    }
    for error in procedure.errors.iter().take(100) {
        let path = format!("error.{}", error.code);
        let mut words = Words::default();
        words.add(error.description.as_deref().unwrap_or_default());
        take(Found {
            kind: Kind::Declared,
            target,
            anchor: Some(Slugs::default().assign(&path)),
            name: format!("{} {}", error.code, error.message).into(),
            summary: "",
            words: words.take(),
        });
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
