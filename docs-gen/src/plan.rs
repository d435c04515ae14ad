//! The pages of a service: which there are, their paths, and their groups.
//!
//! A description comes in, and a [`ServicePlan`] goes out. It is made from names and references alone, before anything
//! is rendered, so every link can be written without a look at its target. `slug` makes the file names, and `links` the
//! links from one page to another. A page is a [`PageTarget`], with indexes into the description or the plan.
//!
//! The paths in the folder of a service, without their extensions:
//!
//! | path | page |
//! |---|---|
//! | `index` | the overview |
//! | `book.find` | a procedure |
//! | `groups/book`, `groups/book~2` | the list of a group, and its second part |
//! | `types/Book` | a shared type |
//! | `errors/404` | a code of errors |
//! | `errors`, `types` | all errors, all shared types; if a procedure has such a name, its page does, and this one ends in a hash |
//! | `get`, `changes/index` | the procedures that GET can call, the changes since the previous version |
//!
//! Guides are beside the folders of services, in `guide/`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use docent_describe::ServiceDescription;
use docent_describe::schema::{SchemaViews, references};
use indexmap::{IndexMap, IndexSet};

use crate::call;
use crate::slug::Slugs;

/// The maximum length of a list on one page. A longer one continues on further pages.
pub(crate) const LIST_LENGTH: usize = 500;

/// The maximum number of users of a type that are followed to their own users.
const MAX_USERS: usize = 100;

/// Anything that has a page of its own, or a section of the single file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PageTarget {
    /// The page that introduces the service.
    Overview,
    /// The procedures that can be called with GET.
    Idempotent,
    /// The changes since the previous version.
    Changes,
    /// All shared types.
    Types,
    /// All errors: those that procedures declare, and those of the protocol.
    Errors,
    /// A guide of the site.
    Guide(usize),
    /// A part of a group's list.
    Group(usize, usize),
    /// A code of errors that procedures return.
    Code(usize),
    /// A procedure, by its index in the description.
    Procedure(usize),
    /// A shared type, by its index in the description.
    Type(usize),
}

/// A page that a service has once, and not for each of its procedures, groups, types or codes.
#[derive(Debug)]
pub(crate) struct SinglePage {
    pub(crate) target: PageTarget,
    /// The key of the text that names the page.
    pub(crate) name_key: &'static str,
}

impl SinglePage {
    fn new(target: PageTarget, name_key: &'static str) -> Self {
        Self { target, name_key }
    }
}

/// The pages of one service.
#[derive(Debug)]
pub(crate) struct ServicePlan {
    /// The service's folder with its slash, or an empty string if the site has only one service.
    pub(crate) prefix: String,
    /// True if links to pages leave out the extension.
    pub(crate) is_clean: bool,
    /// The file name of each procedure's page, without its extension.
    pub(crate) procedures: Vec<String>,
    /// The file name of the page of all types.
    types_page: String,
    /// The file name of the page of all errors.
    errors_page: String,
    /// The groups in which procedures are listed.
    pub(crate) groups: Vec<Group>,
    /// The group in which a procedure is listed first.
    pub(crate) group_of: Vec<usize>,
    /// The shared types and the file names of their pages.
    pub(crate) types: IndexMap<String, String>,
    /// The codes that procedures declare, each with those procedures.
    pub(crate) codes: IndexMap<i64, Vec<usize>>,
    /// The procedures and types that refer to each type.
    pub(crate) users: Vec<Vec<PageTarget>>,
    /// The procedures that can be called with GET.
    pub(crate) idempotent: Vec<usize>,
    /// The first procedure of each name.
    names: HashMap<String, usize>,
    /// The file names of the site's guides, without their extension.
    pub(crate) guides: Vec<String>,
    /// True if the site has the previous version, so that there are changes to list.
    pub(crate) has_changes: bool,
}

/// Returns the addresses of procedures' pages on a live site of these services, relative to the site: for each
/// service, the addresses by the names of its procedures. No site is needed, so the descriptions can contain
/// the addresses before a site is built from them.
pub fn procedure_pages<'d>(
    services: impl IntoIterator<Item = &'d ServiceDescription>,
) -> Vec<HashMap<String, String>> {
    let services: Vec<&ServiceDescription> = services.into_iter().collect();
    let mut pages_of_services = Vec::new();
    for (service, prefix) in services.iter().zip(prefixes(&services)) {
        let mut pages = HashMap::with_capacity(service.procs.len());
        for (procedure, stem) in service.procs.iter().zip(FileNames::new(service).procedures) {
            pages
                .entry(procedure.name.clone())
                .or_insert_with(|| format!("{prefix}{stem}"));
        }
        pages_of_services.push(pages);
    }
    pages_of_services
}

/// Returns the folder of each version of a service of a catalogue, with its slash. The last one is the
/// newest and has the folder of the service, so that its addresses stay.
pub(crate) fn version_folders(folder: &str, services: &[&ServiceDescription]) -> Vec<String> {
    let mut slugs = Slugs::default();
    let mut folders = Vec::new();
    let older = services.split_last().map_or(&[][..], |(_, older)| older);
    for service in older {
        let version = service.version.as_deref().unwrap_or_default();
        folders.push(format!("{folder}/versions/{}/", slugs.assign(version)));
    }
    folders.push(format!("{folder}/"));
    folders
}

/// Returns the folder of each service with its slash, or an empty string if there is only one service.
/// The folders of services with the same name end in their versions.
pub(crate) fn prefixes(services: &[&ServiceDescription]) -> Vec<String> {
    if services.len() == 1 {
        return vec![String::new()];
    }
    let mut services_by_name: HashMap<&str, usize> = HashMap::new();
    for service in services {
        *services_by_name.entry(&service.name).or_default() += 1;
    }
    // The folders of assets and guides are next to them.
    let mut slugs = Slugs::reserving(&["assets", "guide"]);
    let mut folders = Vec::new();
    for service in services {
        let slug = match &service.version {
            Some(version) if services_by_name[&*service.name] > 1 => {
                slugs.assign(&format!("{}-{version}", service.name))
            }
            _ => slugs.assign(&service.name),
        };
        folders.push(format!("{slug}/"));
    }
    folders
}

/// The file names in the folder of a service, without their extension.
struct FileNames {
    /// The page of each procedure.
    procedures: Vec<String>,
    /// The page of all types.
    types: String,
    /// The page of all errors.
    errors: String,
}

impl FileNames {
    /// Assigns the names. A procedure named `types` or `errors` has the address of its name, as any other, and the
    /// page takes another.
    fn new(service: &ServiceDescription) -> Self {
        let mut slugs = Slugs::reserving(&["index", "get", "llms", "llms-full", "404"]);
        Self {
            procedures: service
                .procs
                .iter()
                .map(|procedure| slugs.assign(&procedure.name))
                .collect(),
            types: slugs.assign("types"),
            errors: slugs.assign("errors"),
        }
    }
}

/// Procedures that are listed together.
#[derive(Debug)]
pub(crate) struct Group {
    /// The tag or the prefix; `None` if all procedures are one group, or for those without a tag.
    pub(crate) name: Option<String>,
    /// The name of the list's page, without the extension.
    pub(crate) slug: String,
    /// The procedures, in the order of the description.
    pub(crate) members: Vec<usize>,
}

impl Group {
    /// Returns the number of pages that the group's list takes.
    pub(crate) fn parts(&self) -> usize {
        self.members.len().div_ceil(LIST_LENGTH).max(1)
    }
}

impl ServicePlan {
    /// Plans the pages of a service in the folder `prefix`. Guides and versions are added later,
    /// because they depend on the other services of the site.
    pub(crate) fn new(service: &ServiceDescription, prefix: String, is_clean: bool) -> Self {
        let files = FileNames::new(service);
        let mut slugs = Slugs::default();
        let types: IndexMap<_, _> = service
            .components
            .schemas
            .keys()
            .map(|name| (name.clone(), slugs.assign(name)))
            .collect();
        let GroupedProcedures { groups, group_of } = groups(service);
        let users = users(service, &types);
        let views = SchemaViews::new(service);
        let idempotent = (0..service.procs.len())
            .filter(|&index| call::takes_get(service, &service.procs[index], &views))
            .collect();
        Self {
            names: procedures_by_name(service),
            guides: Vec::new(),
            has_changes: false,
            prefix,
            is_clean,
            procedures: files.procedures,
            types_page: files.types,
            errors_page: files.errors,
            groups,
            group_of,
            codes: codes(service),
            types,
            users,
            idempotent,
        }
    }

    /// Returns whether a procedure can be called with GET.
    pub(crate) fn takes_get(&self, index: usize) -> bool {
        self.idempotent.binary_search(&index).is_ok()
    }

    /// Returns the type, and the procedures and types that refer to it, directly or through other types.
    pub(crate) fn all_users(&self, index: usize) -> IndexSet<PageTarget> {
        let mut users = IndexSet::from([PageTarget::Type(index)]);
        let mut next = 0;
        while let Some(&user) = users.get_index(next)
            && next < MAX_USERS
        {
            if let PageTarget::Type(at) = user {
                users.extend(&self.users[at]);
            }
            next += 1;
        }
        users
    }

    /// Returns the page of the first procedure of a name.
    pub(crate) fn procedure(&self, name: &str) -> Option<PageTarget> {
        let &index = self.names.get(name)?;
        Some(PageTarget::Procedure(index))
    }

    /// Returns the page of a shared type.
    pub(crate) fn shared_type(&self, name: &str) -> Option<PageTarget> {
        Some(PageTarget::Type(self.types.get_index_of(name)?))
    }

    /// Returns the path of a page in the service's folder, without its extension.
    pub(crate) fn stem(&self, target: PageTarget) -> String {
        match target {
            PageTarget::Overview => "index".to_owned(),
            PageTarget::Idempotent => "get".to_owned(),
            PageTarget::Changes => "changes/index".to_owned(),
            PageTarget::Types => self.types_page.clone(),
            PageTarget::Errors => self.errors_page.clone(),
            PageTarget::Guide(guide) => format!("guide/{}", self.guides[guide]),
            PageTarget::Group(group, 0) => ["groups/", &self.groups[group].slug].concat(),
            // No slug contains `~`, so a part cannot clash with a group.
            PageTarget::Group(group, part) => {
                format!("groups/{}~{}", self.groups[group].slug, part + 1)
            }
            PageTarget::Code(index) => match self.codes.get_index(index) {
                // Commands would read a leading hyphen as the start of an option.
                Some((code @ ..0, _)) => format!("errors/code{code}"),
                Some((code, _)) => format!("errors/{code}"),
                None => "errors/none".to_owned(),
            },
            PageTarget::Procedure(index) => self.procedures[index].clone(),
            PageTarget::Type(index) => ["types/", &self.types[index]].concat(),
        }
    }

    /// Returns the `id` of a page's section in the single file. The slash keeps it apart from the
    /// anchors of the templates.
    pub(crate) fn section(&self, target: PageTarget) -> String {
        match target {
            PageTarget::Guide(_) => format!("/{}", self.stem(target)),
            _ => format!("/{}{}", self.prefix, self.stem(target)),
        }
    }

    /// Returns the pages that the service has once. The list in the sidebar, the search and the site's
    /// files are made from them, so a page that is added here is in all three.
    pub(crate) fn single_pages(&self) -> Vec<SinglePage> {
        let mut pages = vec![SinglePage::new(PageTarget::Overview, "overview")];
        if self.has_changes {
            pages.push(SinglePage::new(PageTarget::Changes, "changes"));
        }
        if !self.idempotent.is_empty() {
            pages.push(SinglePage::new(PageTarget::Idempotent, "nav.get"));
        }
        if !self.types.is_empty() {
            pages.push(SinglePage::new(PageTarget::Types, "types"));
        }
        pages.push(SinglePage::new(PageTarget::Errors, "errors"));
        pages
    }

    /// Returns all pages, in a sensible order for readers.
    pub(crate) fn targets(&self) -> Vec<PageTarget> {
        let mut targets = Vec::new();
        targets.extend(self.single_pages().iter().map(|page| page.target));
        for (index, group) in self.groups.iter().enumerate() {
            targets.extend((0..group.parts()).map(|part| PageTarget::Group(index, part)));
        }
        targets.extend((0..self.procedures.len()).map(PageTarget::Procedure));
        targets.extend((0..self.types.len()).map(PageTarget::Type));
        targets.extend((0..self.codes.len()).map(PageTarget::Code));
        targets
    }
}

/// Returns the first procedure of each name. One that clients call comes before one that the service sends.
fn procedures_by_name(service: &ServiceDescription) -> HashMap<String, usize> {
    let mut names = HashMap::with_capacity(service.procs.len());
    for is_called in [true, false] {
        for (index, procedure) in service.procs.iter().enumerate() {
            if procedure.is_called_by_clients() == is_called {
                names.entry(procedure.name.clone()).or_insert(index);
            }
        }
    }
    names
}

/// The maximum number of codes that have a page each.
const MAX_CODES: usize = 1000;

/// Returns the procedures that declare each code, from the lowest code on.
fn codes(service: &ServiceDescription) -> IndexMap<i64, Vec<usize>> {
    let mut codes: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, procedure) in service.procs.iter().enumerate() {
        for error in &procedure.errors {
            let users = codes.entry(error.code).or_default();
            if users.last() != Some(&index) {
                users.push(index);
            }
        }
    }
    codes.into_iter().take(MAX_CODES).collect()
}

/// The groups of a service, and the group in which each procedure is listed first.
struct GroupedProcedures {
    groups: Vec<Group>,
    group_of: Vec<usize>,
}

/// Groups the procedures by their tags, or by the prefix of their names if none has tags.
fn groups(service: &ServiceDescription) -> GroupedProcedures {
    let is_tagged = service
        .procs
        .iter()
        .any(|procedure| !procedure.tags.is_empty());
    let underscores = uses_underscores(service);
    let mut members: IndexMap<Option<&str>, Vec<usize>> = IndexMap::new();
    let mut group_of = Vec::with_capacity(service.procs.len());
    for (index, procedure) in service.procs.iter().enumerate() {
        let names: Vec<Option<&str>> = match &procedure.tags[..] {
            [] if is_tagged => vec![None],
            [] => vec![prefix(&procedure.name, underscores)],
            tags => tags.iter().map(|tag| Some(tag.as_str())).collect(),
        };
        for (position, name) in names.into_iter().enumerate() {
            let entry = members.entry(name);
            if position == 0 {
                group_of.push(entry.index());
            }
            let list = entry.or_default();
            if list.last() != Some(&index) {
                list.push(index);
            }
        }
    }
    let mut slugs = Slugs::default();
    let mut groups = Vec::new();
    for (name, members) in members {
        groups.push(Group {
            slug: slugs.assign(name.unwrap_or("procedures")),
            name: name.map(str::to_owned),
            members,
        });
    }
    GroupedProcedures { groups, group_of }
}

/// Returns the part of a name before its first separator.
fn prefix(name: &str, underscores: bool) -> Option<&str> {
    let (prefix, _) = name.split_once(|character: char| {
        "./:".contains(character) || underscores && character == '_'
    })?;
    (!prefix.is_empty()).then_some(prefix)
}

/// Returns whether underscores separate namespaces (`eth_getBlock`), and not words (`get_block`). They
/// separate namespaces if the part after them is in camel case.
fn uses_underscores(service: &ServiceDescription) -> bool {
    let mut in_camel_case = 0;
    for procedure in &service.procs {
        if let Some((_, rest)) = procedure.name.split_once('_')
            && rest.chars().any(char::is_uppercase)
            && !rest.contains('_')
        {
            in_camel_case += 1;
        }
    }
    in_camel_case * 3 > service.procs.len()
}

/// Returns the pages that refer to each type.
fn users(service: &ServiceDescription, types: &IndexMap<String, String>) -> Vec<Vec<PageTarget>> {
    let mut users = vec![Vec::new(); types.len()];
    for (at, procedure) in service.procs.iter().enumerate() {
        let used_types: BTreeSet<usize> = procedure
            .schemas()
            .flat_map(|schema| references(schema, types))
            .collect();
        for used in used_types {
            users[used].push(PageTarget::Procedure(at));
        }
    }
    for (at, schema) in service.components.schemas.values().enumerate() {
        for used in references(schema, types) {
            if used != at {
                users[used].push(PageTarget::Type(at));
            }
        }
    }
    users
}
