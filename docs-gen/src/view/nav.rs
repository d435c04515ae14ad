//! The list at a page's side: all groups, and what is in its own.

use serde::Serialize;

use super::{Scope, shown_name};
use crate::links::{Medium, Target};
use crate::site::Site;

/// A list longer than this shows what is around the page and links to the whole.
const LONGEST: usize = 60;

/// The view of the template `nav`.
#[derive(Debug, Serialize)]
pub(crate) struct Nav {
    links: Vec<NavLink>,
    groups: Vec<NavGroup>,
    /// Where there are more groups than are listed.
    more: Option<String>,
    overview: String,
}

#[derive(Debug, Serialize)]
struct NavLink {
    name: String,
    href: String,
    current: bool,
}

#[derive(Debug, Serialize)]
struct NavGroup {
    name: String,
    href: String,
    current: bool,
    count: String,
    items: Vec<NavLink>,
    more: Option<String>,
}

impl Nav {
    pub(super) fn of(scope: &Scope<'_>) -> Self {
        let plan = &scope.service.plan;
        let own = match scope.target {
            Target::Group(group, _) => Some(group),
            Target::Procedure(index) => Some(plan.group_of[index]),
            _ => None,
        };
        // A service of one group, or the single file, has nothing to choose between.
        let unfold = |group| own == Some(group) || plan.groups.len() == 1;
        let groups = window(plan.groups.len(), own)
            .map(|group| NavGroup::of(scope, group, unfold(group)))
            .collect();
        let more = plan.groups.len() > LONGEST;
        Self {
            links: links(scope),
            groups,
            more: more.then(|| scope.strings.count("nav.groups", plan.groups.len())),
            overview: scope.links.to_anchor(Target::Overview, "procedures"),
        }
    }
}

impl Nav {
    /// The services of a catalogue.
    pub(super) fn of_services(site: &Site, medium: Medium) -> Self {
        let home = match medium {
            Medium::Folder => "index.html".to_owned(),
            Medium::Single => "#main".to_owned(),
        };
        let link = NavLink { name: site.strings.get("catalogue").to_owned(), href: home.clone(), current: medium == Medium::Folder };
        let groups = site
            .services
            .iter()
            .map(|service| NavGroup {
                name: shown_name(&service.options.description.name),
                href: match medium {
                    Medium::Folder => format!("{}index.html", service.plan.prefix),
                    Medium::Single => format!("#{}", service.plan.section(Target::Overview)),
                },
                current: false,
                count: service.plan.procedures.len().to_string(),
                items: Vec::new(),
                more: None,
            })
            .collect();
        Self { links: vec![link], groups, more: None, overview: home }
    }
}

impl NavGroup {
    fn of(scope: &Scope<'_>, group: usize, unfold: bool) -> Self {
        let members = &scope.service.plan.groups[group].members;
        let at = match scope.target {
            Target::Procedure(index) => members.binary_search(&index).ok(),
            _ => None,
        };
        let items: Vec<NavLink> = if unfold {
            window(members.len(), at)
                .map(|at| NavLink {
                    name: shown_name(&scope.procedure(members[at]).name),
                    href: scope.links.to(Target::Procedure(members[at])),
                    current: scope.target == Target::Procedure(members[at]),
                })
                .collect()
        } else {
            Vec::new()
        };
        let more = unfold && members.len() > LONGEST;
        Self {
            name: shown_name(scope.group_name(group)),
            href: scope.links.to(Target::Group(group, 0)),
            current: scope.target == Target::Group(group, 0),
            count: members.len().to_string(),
            items,
            more: more.then(|| scope.strings.count("nav.more", members.len())),
        }
    }
}

/// At most [`LONGEST`] places out of `length`, around `at`.
fn window(length: usize, at: Option<usize>) -> std::ops::Range<usize> {
    if length <= LONGEST {
        return 0..length;
    }
    let start = at.unwrap_or(0).saturating_sub(LONGEST / 2).min(length - LONGEST);
    start..start + LONGEST
}

fn links(scope: &Scope<'_>) -> Vec<NavLink> {
    let link = |key: &str, href: String, current: bool| NavLink { name: scope.strings.get(key).to_owned(), href, current };
    let mut links = Vec::new();
    if scope.site.is_catalogue() && scope.links.medium == Medium::Folder {
        links.push(link("catalogue", format!("{}index.html", scope.links.to_root()), false));
    }
    links.push(link("overview", scope.links.to(Target::Overview), scope.target == Target::Overview));
    if !scope.service.plan.idempotent.is_empty() {
        links.push(link("nav.get", scope.links.to(Target::Idempotent), scope.target == Target::Idempotent));
    }
    if !scope.service.plan.types.is_empty() {
        links.push(link("types", scope.links.to_anchor(Target::Overview, "types"), false));
    }
    links.push(link("errors.protocol", scope.links.to_anchor(Target::Overview, "errors"), false));
    links
}
