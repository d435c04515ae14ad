//! The list at a page's side: all groups, and what is in its own.

use serde::Serialize;

use super::scope::Scope;
use crate::links::Medium;
use crate::markup::Markup;
use crate::plan::Target;
use crate::site::Site;
use crate::text::shown_name;

/// A list longer than this shows what is around the page and links to the whole.
const LONGEST: usize = 60;

/// The view of the template `nav`.
#[derive(Debug, Serialize)]
pub(crate) struct Nav {
    links: Vec<NavLink>,
    /// The groups' names and the members of the page's own. This list is on every page, and a
    /// template would take longer over it than over all the rest.
    groups: Markup,
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
        let mut groups = Markup::with_capacity(4096);
        for group in window(plan.groups.len(), own) {
            add_group(&mut groups, scope, group, unfold(group));
        }
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
            Medium::Folder | Medium::Twins => "index.html".to_owned(),
            Medium::Single => "#main".to_owned(),
        };
        let link = NavLink {
            name: site.strings.get("catalogue").to_owned(),
            href: home.clone(),
            current: medium == Medium::Folder,
        };
        let mut groups = Markup::with_capacity(1024);
        for service in &site.services {
            let href = match medium {
                Medium::Folder | Medium::Twins => format!("{}index.html", service.plan.prefix),
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
        Self {
            links: vec![link],
            groups,
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

fn add_group(list: &mut Markup, scope: &Scope<'_>, group: usize, unfold: bool) {
    let members = &scope.service.plan.groups[group].members;
    let href = scope.links.to(Target::Group(group, 0));
    let current = scope.target == Target::Group(group, 0);
    add_heading(
        list,
        &href,
        &shown_name(scope.group_name(group)),
        members.len(),
        current,
    );
    if !unfold {
        return;
    }
    let at = match scope.target {
        Target::Procedure(index) => members.binary_search(&index).ok(),
        _ => None,
    };
    list.raw("<ul class=\"names-of\">\n");
    for at in window(members.len(), at) {
        let target = Target::Procedure(members[at]);
        list.raw("<li>");
        add_link(
            list,
            &scope.links.to(target),
            &shown_name(&scope.procedure(members[at]).name),
            scope.target == target,
        );
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
    list.raw("</ul>\n");
}

/// At most [`LONGEST`] places out of `length`, around `at`.
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
            "catalogue",
            format!("{}index.html", scope.links.to_root()),
            false,
        ));
    }
    links.push(link(
        "overview",
        scope.links.to(Target::Overview),
        scope.target == Target::Overview,
    ));
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
        "errors.protocol",
        scope.links.to_anchor(Target::Overview, "errors"),
        false,
    ));
    links
}
