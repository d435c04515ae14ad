//! The surroundings of every page, and the pages that belong to no service.
//!
//! The template `page` gets all its data from here: head, header, navigation and footer. The main part
//! of a page is rendered already.

use docent_describe::json::shorten;
use serde_json::{Value, json};

use super::nav::{nav, service_links};
use super::scope::{Content, PageScope, named_link};
use crate::images::Image;
use crate::links::{Links, Medium};
use crate::markdown;
use crate::markup::{Markup, PageForm};
use crate::part::SitePart;
use crate::plan::PageTarget;
use crate::publish::{self, content_type};
use crate::site::Site;
use crate::text::{plain, shown_name};

/// Returns the view of the template `page` as far as all pages share it. From the page, `root` leads
/// to the site's folder.
fn common(site: &Site, root: &str, medium: Medium) -> Value {
    let appearance = &site.appearance;
    let favicon = appearance.favicon.as_ref();
    // Link previews do not support drawings (SVG).
    let preview = appearance
        .logo
        .as_ref()
        .filter(|logo| content_type(&logo.path) != "image/svg+xml")
        .zip(appearance.base.as_ref());
    let logo = appearance
        .logo
        .as_ref()
        .map(|logo| image_address(logo, root, medium));
    json!({
        "lang": appearance.language,
        "dir": appearance.direction,
        "logo": logo,
        "favicon": favicon.map(|icon| {
            let href = image_address(icon, root, medium);
            json!({ "href": href, "content_type": content_type(&icon.path) })
        }),
        "footer": appearance.footer.as_deref().map(|footer| markdown::render(PageForm::Html, footer)),
        "title": site.title,
        "summary": null,
        "root": root,
        "service_root": root,
        "canonical": null,
        "image": preview.map(|(logo, base)| base.address(false, &logo.path)),
        "missing": false,
        "own_index": null,
        "catalog": site.front().map(|front| {
            let feed = front.has_feed().then(|| format!("{root}changes.atom"));
            json!({ "href": format!("{root}.well-known/api-catalog"), "feed": feed })
        }),
        "files": {
            "style_css": asset_path(site, "style.css"),
            "icon_svg": asset_path(site, "icon.svg"),
            "theme_js": asset_path(site, "theme.js"),
            "docent_js": asset_path(site, "docent.js"),
            "front": publish::address(appearance.is_clean, "index.html"),
        },
        "home": site.home(root),
        "site_title": site.title,
        "version": null,
        "newest": null,
        "markdown_page": null,
        "calls": false,
        "callable": false,
        "downloads": false,
        "openapi": false,
        "mcp": null,
        "inline": null,
    })
}

/// Returns the address of an image. The single file contains the images themselves.
fn image_address(image: &Image, root: &str, medium: Medium) -> String {
    match medium {
        Medium::Single => image.inline(),
        Medium::Folder | Medium::Markdown => format!("{root}{}", image.path),
    }
}

/// Returns the path of an asset.
fn asset_path<'s>(site: &'s Site, name: &str) -> Option<&'s str> {
    site.asset(name).map(|asset| asset.path.as_str())
}

/// Puts the main part of a page into its surroundings.
pub(crate) fn shell(scope: &PageScope<'_>, content: Content) -> Value {
    let PageScope { site, text, .. } = scope;
    let links = &text.links;
    let is_folder = links.medium == Medium::Folder;
    let is_call = matches!(scope.target, PageTarget::Procedure(_));
    let mut shell = common(site, &links.to_root(), links.medium);
    // The front of a catalogue has guides, but no service.
    let is_described = is_folder && site.front().is_none();
    shell["title"] = json!(shorten(&title(scope, content.title), 200));
    shell["summary"] = json!(content.summary);
    shell["service_root"] = json!(links.to_service);
    shell["version"] = json!(version(scope));
    shell["calls"] = json!(is_call);
    shell["callable"] = json!(!is_folder || is_call);
    shell["downloads"] = json!(is_described);
    shell["openapi"] = json!(is_described && !scope.is_foreign());
    if let Some(mcp) = scope.service.mcp.as_ref().filter(|_| is_folder) {
        let root = mcp.relative.then(|| links.to_service.clone());
        shell["mcp"] = json!(root.unwrap_or_default() + &mcp.text);
    }
    shell["main"] = json!(content.main);
    let section = links.plan.section(scope.target);
    let page = format!("{}.html", section.trim_start_matches('/'));
    if is_folder {
        shell["canonical"] = json!(site.absolute(&page));
        let newest = scope.newest();
        shell["newest"] = json!(newest.map(|(href, text)| json!({ "href": href, "text": text })));
        if let SitePart::Service(folder) = &site.part {
            shell["own_index"] = json!(format!("{folder}/"));
        }
        // The Markdown page is next to its page.
        let name = section.rsplit('/').next().unwrap_or_default();
        shell["markdown_page"] = json!(format!("{name}.md"));
    }
    if !site.is_catalogue() || !is_folder {
        shell["home"] = json!(links.to(PageTarget::Overview));
    }
    let is_of_all = site.front().is_some() || site.is_catalogue() && !is_folder;
    shell["nav"] = if is_of_all {
        service_links(site, links.medium, &links.to_root(), &page)
    } else {
        nav(scope)
    };
    shell
}

/// Returns the title of a page: its own, and the name of the service or of the site.
fn title(scope: &PageScope<'_>, own: String) -> String {
    let service = &scope.service.label;
    let is_part = matches!(scope.site.part, SitePart::Service(_));
    let name = if *service == scope.description.name && !is_part {
        &scope.site.title
    } else {
        service
    };
    match scope.target {
        PageTarget::Overview => own,
        _ => format!("{own} · {name}"),
    }
}

/// Returns the text next to the site's title: the version or, in a catalogue of several services, the
/// service's label.
fn version(scope: &PageScope<'_>) -> Option<String> {
    let PageScope { site, service, .. } = scope;
    let description = scope.description;
    let is_single = scope.text.links.medium == Medium::Single;
    let text = if !site.is_catalogue() {
        description.version.as_ref()
    } else if matches!(site.part, SitePart::Service(_)) {
        Some(&service.label)
    } else if is_single || service.label == description.name {
        None
    } else if site.is_of_versions() {
        Some(&service.version.name)
    } else {
        Some(&service.label)
    };
    text.map(|text| shorten(text, 60).into_owned())
}

/// Returns a page of a site of several services that is of none of them: their list, or their changes.
pub(crate) fn own_page(site: &Site, path: &str, main: &Markup) -> Value {
    let mut shell = common(site, "", Medium::Folder);
    shell["canonical"] = json!(site.absolute(path));
    if path != "index.html" {
        let name = site.strings.get("changes");
        shell["title"] = json!(format!("{name} · {}", site.title));
    }
    shell["markdown_page"] = json!(path.replace(".html", ".md"));
    shell["nav"] = service_links(site, Medium::Folder, "", path);
    shell["main"] = json!(main);
    shell
}

/// Renders the list of the services, for a page from which `root` leads to the site's folder.
pub(crate) fn catalogue(site: &Site, form: PageForm, root: &str) -> Markup {
    let cards = site.cards();
    let services = cards.iter().map(|card| {
        let description = &card.description;
        let folder = &card.folder;
        json!({
            "name": shown_name(&description.name),
            "href": match form {
                PageForm::Html => publish::address_from(folder, site.appearance.is_clean, "index.html"),
                PageForm::Markdown => format!("{root}{folder}llms.txt"),
            },
            "version": description.version.as_deref().map(plain),
            "older": card.is_older,
            "count": site.strings.count("count.procedures", card.procedures),
            "text": description.summary.as_deref().map(plain),
            "detail": card.detail,
        })
    });
    // Only the Markdown form has no sidebar with the guides.
    let links = Links::new(&site.lead().plan, Medium::Markdown, None);
    let guides = site.guides.iter().enumerate().map(|(at, guide)| {
        let href = format!("{root}{}", links.to(PageTarget::Guide(at)));
        named_link(shown_name(&guide.title), href)
    });
    let lead = format!("{}.lead", site.list_key());
    let view = json!({
        "name": site.title,
        "lead": site.strings.count(&lead, cards.len()),
        "services": services.collect::<Value>(),
        "guides": guides.collect::<Value>(),
    });
    site.templates.render(form, "catalogue", view)
}

/// Returns the page for addresses that do not exist, for an address from which `root` leads to the
/// site's folder.
pub(crate) fn missing(site: &Site, root: &str) -> Value {
    let name = site.strings.get("missing");
    let view = json!({ "name": name, "home": site.home(root) });
    let mut shell = common(site, root, Medium::Folder);
    shell["title"] = json!(format!("{name} · {}", site.title));
    shell["missing"] = json!(true);
    shell["nav"] = service_links(site, Medium::Folder, root, "");
    shell["main"] = json!(site.templates.render(PageForm::Html, "missing", view));
    shell
}
