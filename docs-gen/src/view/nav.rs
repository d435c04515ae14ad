//! The list in the sidebar: all groups, and the members of the page's own group.

use serde::Serialize;

use super::scope::Scope;
use super::shell;
use super::versions::Versions;
use crate::call;
use crate::links::Medium;
use crate::markup::{Form, Markup};
use crate::plan::Target;
use crate::publish;
use crate::site::Site;
use crate::text::{breakable, shown_name};

/// The longest list. A longer one shows the part around the page, and links to the whole.
const LONGEST: usize = 60;

/// The most procedures of a service for which the members of all groups are listed. With more, only
/// those of the page's own group are.
const UNFOLDING: usize = 120;

/// The view of the template `nav`.
#[derive(Debug, Serialize)]
pub(crate) struct Nav {
    /// The other versions of the service.
    versions: Option<Versions>,
    links: Vec<NavLink>,
    /// The names of the groups and the members of the page's own, already rendered. This list is on
    /// every page, and a template would take longer for it than for everything else.
    groups: Markup,
    /// The text of the link to all groups, if there are more than are listed.
    more: Option<String>,
    overview: String,
}

#[derive(Debug, Serialize)]
struct NavLink {
    name: String,
    href: String,
    current: bool,
}

impl Nav {
    pub(super) fn of(scope: &Scope<'_>) -> Self {
        let plan = &scope.service.plan;
        let own = match scope.target {
            Target::Group(group, _) => Some(group),
            Target::Procedure(index) => Some(plan.group_of[index]),
            _ => None,
        };
        // A service with a single group needs no choice.
        let unfold = |group| own == Some(group) || plan.groups.len() == 1;
        let lists_all = plan.procedures.len() <= UNFOLDING;
        let mut groups = Markup::with_capacity(4096);
        for group in window(plan.groups.len(), own) {
            let fold = match unfold(group) {
                true => Fold::Open,
                false if lists_all => Fold::Closed,
                false => Fold::Link,
            };
            add_group(&mut groups, scope, group, fold);
        }
        let more = plan.groups.len() > LONGEST;
        Self {
            versions: scope.versions(),
            links: links(scope),
            groups,
            more: more.then(|| scope.strings.count("nav.groups", plan.groups.len())),
            overview: scope.links.to_anchor(Target::Overview, "procedures"),
        }
    }
}

impl Nav {
    /// Returns the list of the services of a catalogue.
    pub(super) fn of_services(site: &Site, medium: Medium) -> Self {
        let home = match medium {
            Medium::Folder | Medium::Twins => shell::home(site, ""),
            Medium::Single => "#main".to_owned(),
        };
        let link = NavLink {
            name: site.strings.get(site.list_key()).to_owned(),
            href: home.clone(),
            current: medium == Medium::Folder,
        };
        let mut groups = Markup::with_capacity(1024);
        let ordered = site.is_of_versions().then(|| site.ordered());
        for service in ordered.unwrap_or_else(|| site.services.iter().collect()) {
            let href = match medium {
                Medium::Folder | Medium::Twins => {
                    let path = format!("{}index.html", service.plan.prefix);
                    publish::address(site.is_clean, &path)
                }
                Medium::Single => format!("#{}", service.plan.section(Target::Overview)),
            };
            let name = shown_name(&service.label);
            add_heading(
                &mut groups,
                &href,
                &name,
                service.plan.procedures.len(),
                false,
            );
        }
        let mut links = vec![link];
        for guide in &site.guides {
            let path = format!("guide/{}.html", guide.slug);
            links.push(NavLink {
                name: shown_name(&guide.title),
                href: match medium {
                    Medium::Folder | Medium::Twins => publish::address(site.is_clean, &path),
                    Medium::Single => format!("#/guide/{}", guide.slug),
                },
                current: false,
            });
        }
        Self {
            versions: None,
            links,
            groups,
            more: None,
            overview: home,
        }
    }
}

/// The form of a group in the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    /// A heading with its members.
    Open,
    /// A heading whose members are folded away.
    Closed,
    /// A link to its page.
    Link,
}

impl Nav {
    /// Returns a list with only the link to the front page.
    pub(super) fn of_missing(site: &Site, home: String) -> Self {
        let key = if site.is_catalogue() {
            site.list_key()
        } else {
            "overview"
        };
        let link = NavLink {
            name: site.strings.get(key).to_owned(),
            href: home.clone(),
            current: false,
        };
        Self {
            versions: None,
            links: vec![link],
            groups: Markup::with_capacity(0),
            more: None,
            overview: home,
        }
    }
}

fn add_heading(list: &mut Markup, href: &str, name: &str, count: usize, current: bool) {
    list.raw("<h2>");
    add_link(list, href, name, current);
    list.raw(" <span class=\"count\">")
        .text(&count.to_string())
        .raw("</span></h2>\n");
}

fn add_link(list: &mut Markup, href: &str, name: &str, current: bool) {
    list.raw("<a href=\"")
        .text(href)
        .raw(if current {
            "\" aria-current=\"page\">"
        } else {
            "\">"
        })
        .text(name)
        .raw("</a>");
}

/// Adds the link to a procedure. The part of its name that repeats its group is only for screen
/// readers.
fn add_member(list: &mut Markup, scope: &Scope<'_>, index: usize, group: &str) {
    let procedure = scope.procedure(index);
    let target = Target::Procedure(index);
    let name = shown_name(&procedure.name);
    let short = name.strip_prefix(group).and_then(|rest| {
        let rest = rest.strip_prefix(['.', '_', '/', ':'])?;
        (!rest.is_empty()).then_some(rest)
    });
    list.raw("<a href=\"")
        .text(&scope.links.to(target))
        .raw("\"");
    if procedure.deprecated.is_some() {
        list.raw(" class=\"old\"");
    }
    if scope.target == target {
        list.raw(" aria-current=\"page\"");
    }
    list.raw(">");
    if let Some(short) = short {
        list.raw("<span class=\"hush\">")
            .text(&name[..name.len() - short.len()])
            .raw("</span>")
            .markup(&breakable(Form::Html, short));
    } else {
        list.markup(&breakable(Form::Html, &name));
    }
    if call::takes_get(scope.description(), procedure) {
        list.raw(" <b>GET</b>");
    }
    list.raw("</a>");
}

fn add_group(list: &mut Markup, scope: &Scope<'_>, group: usize, fold: Fold) {
    let members = &scope.service.plan.groups[group].members;
    let href = scope.links.to(Target::Group(group, 0));
    let current = scope.target == Target::Group(group, 0);
    let name = shown_name(scope.group_name(group));
    if fold == Fold::Link {
        return add_heading(list, &href, &name, members.len(), current);
    }
    list.raw(match fold {
        Fold::Open => "<details open><summary>",
        _ => "<details><summary>",
    })
    .text(&name)
    .raw(" <span class=\"count\">")
    .text(&members.len().to_string())
    .raw("</span></summary>\n<ul class=\"names-of\">\n<li>");
    add_link(list, &href, scope.strings.get("overview"), current);
    list.raw("</li>\n");
    let at = match scope.target {
        Target::Procedure(index) => members.binary_search(&index).ok(),
        _ => None,
    };
    for at in window(members.len(), at) {
        list.raw("<li>");
        add_member(list, scope, members[at], &name);
        list.raw("</li>\n");
    }
    if members.len() > LONGEST {
        list.raw("<li>");
        add_link(
            list,
            &href,
            &scope.strings.count("nav.more", members.len()),
            false,
        );
        list.raw("</li>\n");
    }
    list.raw("</ul></details>\n");
}

/// Returns at most [`LONGEST`] positions out of `length`, around `at`.
fn window(length: usize, at: Option<usize>) -> std::ops::Range<usize> {
    if length <= LONGEST {
        return 0..length;
    }
    let start = at
        .unwrap_or(0)
        .saturating_sub(LONGEST / 2)
        .min(length - LONGEST);
    start..start + LONGEST
}

fn links(scope: &Scope<'_>) -> Vec<NavLink> {
    let link = |key: &str, href: String, current: bool| NavLink {
        name: scope.strings.get(key).to_owned(),
        href,
        current,
    };
    let mut links = Vec::new();
    if scope.site.is_catalogue() && scope.links.medium == Medium::Folder {
        links.push(link(
            scope.site.list_key(),
            shell::home(scope.site, &scope.links.to_root()),
            false,
        ));
    }
    links.push(link(
        "overview",
        scope.links.to(Target::Overview),
        scope.target == Target::Overview,
    ));
    if let Some(name) = scope.changes_name() {
        links.push(NavLink {
            name,
            href: scope.links.to(Target::Changes),
            current: scope.target == Target::Changes,
        });
    }
    for (at, guide) in scope.site.guides.iter().enumerate() {
        let target = Target::Guide(at);
        links.push(NavLink {
            name: shown_name(&guide.title),
            href: scope.links.to(target),
            current: scope.target == target,
        });
    }
    if !scope.service.plan.idempotent.is_empty() {
        links.push(link(
            "nav.get",
            scope.links.to(Target::Idempotent),
            scope.target == Target::Idempotent,
        ));
    }
    if !scope.service.plan.types.is_empty() {
        links.push(link(
            "types",
            scope.links.to_anchor(Target::Overview, "types"),
            false,
        ));
    }
    links.push(link(
        "names",
        scope.links.to(Target::Names),
        scope.target == Target::Names,
    ));
    links.push(link(
        "errors.protocol",
        scope.links.to_anchor(Target::Overview, "errors"),
        false,
    ));
    links
}
