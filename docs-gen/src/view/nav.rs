//! The list in the sidebar: all groups, and the members of the page's own group.
//!
//! `shell` puts a [`Nav`] into the surroundings of a page: [`nav`] of a page of a service, [`service_links`] of a page
//! of no service. The groups are rendered here and not by the template `nav`, which would take longer for this list, on
//! every page, than for everything else.

use std::ops::Range;

use serde::Serialize;

use super::scope::{Link, MAX_VERSIONS, PageScope};
use crate::links::Medium;
use crate::markup::{Markup, PageFormat};
use crate::plan::PageTarget;
use crate::publish;
use crate::site::Site;
use crate::text::display_name;

/// The maximum length of a list. A longer one shows only a part, and links to all of it.
const MAX_LIST_LENGTH: usize = 40;

/// The length of the visible part of a long list, with the page in its middle. The list is on every page of a large
/// site, where readers search instead.
const PART_LENGTH: usize = 20;

/// The maximum number of procedures of a service for which the members of all groups are listed. With more, only
/// those of the page's own group are.
const MAX_UNFOLDED_PROCEDURES: usize = 120;

/// The list in the sidebar.
#[derive(Serialize)]
pub(super) struct Nav {
    /// The switch between versions.
    versions: Option<VersionSwitch>,
    links: Vec<NavLink>,
    guides: Option<GuideFold>,
    /// The groups with their members, or the services.
    groups: Markup,
    /// The text of the link to all of them, if some are not listed.
    more: Option<String>,
    /// The address of all of them.
    overview: String,
}

/// The switch between versions.
#[derive(Serialize)]
struct VersionSwitch {
    /// The name of this version.
    label: String,
    links: Vec<VersionLink>,
    /// The link to versions that are not listed.
    more: Option<Link>,
}

/// A version.
#[derive(Serialize)]
struct VersionLink {
    name: String,
    /// The address, unless it is this version.
    href: Option<String>,
    /// True if there is a newer one.
    older: bool,
    /// True if it does not have this page.
    lacks: bool,
}

/// The fold with the links to guides.
#[derive(Serialize)]
struct GuideFold {
    open: bool,
    links: Vec<NavLink>,
}

/// A link of the list.
#[derive(Serialize)]
struct NavLink {
    name: String,
    href: String,
    /// True on the page itself.
    current: bool,
}

/// Returns the list for a page of a service.
pub(super) fn nav(scope: &PageScope<'_>) -> Nav {
    let plan = &scope.service.plan;
    let own = match scope.target {
        PageTarget::Group(group, _) => Some(group),
        PageTarget::Procedure(index) => Some(plan.group_of[index]),
        _ => None,
    };
    let mut groups = Markup::new(PageFormat::Html);
    for group in window(plan.groups.len(), own) {
        // A service with a single group needs no choice.
        if own == Some(group) || plan.groups.len() == 1 {
            add_members(
                &mut groups,
                scope,
                group,
                "<details open><summary dir=\"auto\">",
            );
        } else if plan.procedures.len() <= MAX_UNFOLDED_PROCEDURES {
            add_members(&mut groups, scope, group, "<details><summary dir=\"auto\">");
        } else {
            add_heading(
                &mut groups,
                &scope.text.links.to(PageTarget::Group(group, 0)),
                scope.group_name(group),
                plan.groups[group].members.len(),
            );
        }
    }
    let more = plan.groups.len() > MAX_LIST_LENGTH;
    Nav {
        versions: versions(scope),
        links: links(scope),
        guides: guide_fold(guides(scope)),
        groups,
        more: more.then(|| scope.text.strings.count("nav.groups", plan.groups.len())),
        overview: scope.text.links.to_overview("procedures"),
    }
}

/// Returns the switch between versions, if the service has several.
fn versions(scope: &PageScope<'_>) -> Option<VersionSwitch> {
    let all = &scope.service.version.all;
    if all.is_empty() {
        return None;
    }
    let mut links = Vec::new();
    for &at in all.iter().rev().take(MAX_VERSIONS) {
        let other = &scope.site.services[at];
        let page = scope.page_in_version(other);
        let is_here = other.plan.prefix == scope.service.plan.prefix;
        links.push(VersionLink {
            name: other.version.name.clone(),
            href: (!is_here).then_some(page.href),
            older: other.version.newest.is_some(),
            lacks: page.is_missing && !is_here,
        });
    }
    // The list of all services has the others.
    let more = (all.len() > MAX_VERSIONS).then(|| {
        let name = scope.text.strings.count("versions.all", all.len());
        Link::new(name, scope.site.home(&scope.text.links.to_root()))
    });
    let name = &scope.service.version.name;
    Some(VersionSwitch {
        label: scope.text.strings.with("versions.this", name),
        links,
        more,
    })
}

/// Returns the links above the groups.
fn links(scope: &PageScope<'_>) -> Vec<NavLink> {
    let strings = scope.text.strings;
    let plan = &scope.service.plan;
    let mut links = Vec::new();
    if scope.site.is_catalogue() && scope.text.links.medium == Medium::Folder {
        let home = scope.site.home(&scope.text.links.to_root());
        links.push(link(strings.get(scope.site.list_key()), &home, false));
    }
    links.push(page_link(
        scope,
        strings.get("overview"),
        PageTarget::Overview,
    ));
    for page in plan.single_pages() {
        match page.target {
            // It comes first.
            PageTarget::Overview => {}
            PageTarget::Changes => {
                let name = scope.changes_name().unwrap_or_default();
                links.push(page_link(scope, &name, page.target));
            }
            _ => links.push(page_link(scope, strings.get(page.name_key), page.target)),
        }
    }
    links
}

/// Returns the links to the guides.
fn guides(scope: &PageScope<'_>) -> Vec<NavLink> {
    scope
        .site
        .guides
        .iter()
        .enumerate()
        .map(|(at, guide)| page_link(scope, &display_name(&guide.title), PageTarget::Guide(at)))
        .collect()
}

/// Returns the fold with the links to guides, which is open on the page of one.
fn guide_fold(links: Vec<NavLink>) -> Option<GuideFold> {
    let open = links.iter().any(|link| link.current);
    (!links.is_empty()).then_some(GuideFold { open, links })
}

/// Returns the link to a page of the service, for the list of this page.
fn page_link(scope: &PageScope<'_>, name: &str, target: PageTarget) -> NavLink {
    link(name, &scope.text.links.to(target), scope.target == target)
}

/// Returns a link of the list.
fn link(name: &str, href: &str, current: bool) -> NavLink {
    NavLink {
        name: name.to_owned(),
        href: href.to_owned(),
        current,
    }
}

/// Returns the list of the services for a page that belongs to none of them, or for the single file. From the page at
/// the path `here`, `root` leads to the site's folder.
pub(super) fn service_links(site: &Site, medium: Medium, root: &str, here: &str) -> Nav {
    let cards = site.cards();
    let visible_cards = match medium {
        // No page of a single file lists all services.
        Medium::Single => &cards[..],
        _ => &cards[window(cards.len(), None)],
    };
    let mut groups = Markup::new(PageFormat::Html);
    for card in visible_cards {
        let page = format!("{}index.html", card.folder);
        let href = site_address(site, medium, root, &page);
        add_heading(&mut groups, &href, &card.label, card.procedures);
    }
    let list = if site.is_catalogue() {
        site.list_key()
    } else {
        "overview"
    };
    let home = match medium {
        Medium::Single => "#main".to_owned(),
        _ => site.home(root),
    };
    let mut links = vec![link(site.strings.get(list), &home, here == "index.html")];
    if site.entries.contains_key("changes.html") && site.front().is_some() {
        let page = "changes.html";
        let href = site_address(site, medium, root, page);
        links.push(link(site.strings.get("changes"), &href, here == page));
    }
    let mut guides = Vec::new();
    for guide in site.guides.iter() {
        let page = format!("guide/{}.html", guide.slug);
        let href = site_address(site, medium, root, &page);
        guides.push(link(&display_name(&guide.title), &href, here == page));
    }
    let more = cards.len() > visible_cards.len();
    Nav {
        versions: None,
        links,
        guides: guide_fold(guides),
        groups,
        more: more.then(|| site.strings.count("nav.services", cards.len())),
        overview: home,
    }
}

/// Returns the address of the page at `path` of a site.
fn site_address(site: &Site, medium: Medium, root: &str, path: &str) -> String {
    match medium {
        Medium::Single => format!("#/{}", path.trim_end_matches(".html")),
        _ => publish::address_from(root, site.appearance.is_clean, path),
    }
}

/// Adds a heading with its link, and the number of procedures below it.
fn add_heading(list: &mut Markup, href: &str, name: &str, count: usize) {
    list.html(
        "<h2 dir=\"auto\"><a href=\"{}\">{}</a> <span class=\"count\">{}</span></h2>\n",
        &[href, &display_name(name), &count.to_string()],
    );
}

/// Adds a group that opens with `start`, with the members before and after the page.
fn add_members(list: &mut Markup, scope: &PageScope<'_>, group: usize, start: &'static str) {
    let members = &scope.service.plan.groups[group].members;
    let href = scope.text.links.to(PageTarget::Group(group, 0));
    let name = display_name(scope.group_name(group));
    list.raw(start).text(&name).raw(" ");
    list.span("count", &members.len().to_string());
    list.raw("</summary>\n<ul class=\"names-of\">\n<li>");
    begin_link(list, scope, PageTarget::Group(group, 0), "");
    list.text(scope.text.strings.get("overview"))
        .raw("</a></li>\n");
    let at = match scope.target {
        PageTarget::Procedure(index) => members.binary_search(&index).ok(),
        _ => None,
    };
    for at in window(members.len(), at) {
        list.raw("<li>");
        add_member(list, scope, members[at], &name);
        list.raw("</li>\n");
    }
    if members.len() > MAX_LIST_LENGTH {
        list.raw("<li>")
            .link(&href, &scope.text.strings.count("nav.more", members.len()))
            .raw("</li>\n");
    }
    list.raw("</ul></details>\n");
}

/// Adds the start of a link to a page, with further attributes.
fn begin_link(list: &mut Markup, scope: &PageScope<'_>, target: PageTarget, more: &'static str) {
    list.raw("<a href=\"").text(&scope.text.links.to(target));
    list.raw("\"").raw(more);
    if scope.target == target {
        list.raw(" aria-current=\"page\"");
    }
    list.raw(">");
}

/// Adds the link to a procedure. The part of its name that repeats its group is only for screen
/// readers.
fn add_member(list: &mut Markup, scope: &PageScope<'_>, index: usize, group: &str) {
    let procedure = scope.procedure(index);
    let target = PageTarget::Procedure(index);
    let name = display_name(&procedure.name);
    let short = name.strip_prefix(group).and_then(|rest| {
        let rest = rest.strip_prefix(['.', '_', '/', ':'])?;
        (!rest.is_empty()).then_some(rest)
    });
    let is_old = procedure.deprecated.is_some();
    begin_link(
        list,
        scope,
        target,
        if is_old { " class=\"old\"" } else { "" },
    );
    if let Some(short) = short {
        list.span("hush", &name[..name.len() - short.len()]);
    }
    list.breakable(short.unwrap_or(&name));
    // There is room for one mark.
    let mark = if procedure.subscription.is_some() {
        Some("mark.subscription")
    } else if scope.service.plan.takes_get(index) {
        Some("mark.get")
    } else if !procedure.is_called_by_clients() {
        Some("mark.sent")
    } else {
        None
    };
    if let Some(key) = mark {
        list.raw(" <b>")
            .text(scope.text.strings.get(key))
            .raw("</b>");
    }
    list.raw("</a>");
}

/// Returns the visible indexes of a list of this length: all of them, or a part with `at` in its middle.
fn window(length: usize, at: Option<usize>) -> Range<usize> {
    if length <= MAX_LIST_LENGTH {
        return 0..length;
    }
    let start = at
        .unwrap_or(0)
        .saturating_sub(PART_LENGTH / 2)
        .min(length - PART_LENGTH);
    start..start + PART_LENGTH
}
