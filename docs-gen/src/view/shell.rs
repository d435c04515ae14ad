//! The surroundings of every page: head, header, navigation and footer.
//!
//! A page's main part comes in, rendered ([`PageContent`]), and [`shell`] returns the data of the template `page`, which
//! `crate::pages` renders. Pages of no service, such as the list of services, begin with [`Shell::new`]. Markdown pages
//! have no surroundings.

use docent_describe::json::shorten;
use serde::Serialize;

use super::nav::{Nav, nav, service_links};
use super::scope::{NewestVersion, PageContent, PageScope};
use crate::images::Image;
use crate::links::Medium;
use crate::markdown;
use crate::markup::{Markup, PageFormat};
use crate::part::SitePart;
use crate::plan::PageTarget;
use crate::publish::{self, content_type};
use crate::site::Site;
use crate::templates::TemplateData;

/// The data of a whole page.
#[derive(Serialize)]
pub(crate) struct Shell<'a> {
    lang: &'a str,
    dir: &'a str,
    /// The address of the logo.
    logo: Option<String>,
    favicon: Option<Favicon>,
    footer: Option<Markup>,
    pub(super) title: String,
    summary: Option<String>,
    /// The path from the page to the site's folder.
    root: String,
    /// The path from the page to the folder of its service.
    service_root: String,
    /// The absolute address, if that of the site is known.
    canonical: Option<String>,
    /// The absolute address of the image for link previews.
    image: Option<String>,
    /// True on the page for addresses that do not exist.
    pub(super) missing: bool,
    /// The folder of the service's own search index.
    own_index: Option<String>,
    catalog: Option<CatalogLinks>,
    files: SharedFiles<'a>,
    /// The address that the site's title leads to.
    home: String,
    site_title: &'a str,
    /// The text next to the site's title.
    version: Option<String>,
    newest: Option<NewestVersion>,
    /// The name of the Markdown page.
    markdown_page: Option<String>,
    /// True on the page of a procedure.
    calls: bool,
    /// True if the header has a button for the form of a call.
    callable: bool,
    /// The files of the service, if they are there.
    downloads: Option<ServiceFiles>,
    /// The styles, scripts and data that the single file has in itself.
    pub(crate) inline: Option<InlineParts>,
    pub(super) nav: Nav,
    main: Markup,
}

/// The icon of the site.
#[derive(Serialize)]
struct Favicon {
    href: String,
    content_type: &'static str,
}

/// The links of a catalogue for programs.
#[derive(Serialize)]
struct CatalogLinks {
    href: String,
    feed: Option<String>,
}

/// The paths of the files that pages share.
#[derive(Serialize)]
struct SharedFiles<'a> {
    style_css: Option<&'a str>,
    icon_svg: Option<&'a str>,
    theme_js: Option<&'a str>,
    docent_js: Option<&'a str>,
    front: &'static str,
}

/// The files and addresses that only some services have.
#[derive(Serialize)]
struct ServiceFiles {
    /// True if there is an OpenAPI document.
    openapi: bool,
    /// The address for agents.
    mcp: Option<String>,
}

/// The styles, scripts and data that the single file has in itself.
#[derive(Serialize)]
pub(crate) struct InlineParts {
    /// The content security policy.
    pub(crate) policy: String,
    pub(crate) style: Markup,
}

impl TemplateData for Shell<'_> {
    const TEMPLATE: &'static str = "page";
}

impl<'a> Shell<'a> {
    /// Creates the surroundings that all pages share, with this list and this main part. From the page, `root` leads to
    /// the site's folder.
    pub(super) fn new(
        site: &'a Site,
        root: String,
        medium: Medium,
        nav: Nav,
        main: Markup,
    ) -> Self {
        let appearance = &site.appearance;
        // Link previews do not support drawings (SVG).
        let preview = appearance
            .logo
            .as_ref()
            .filter(|logo| content_type(&logo.path) != "image/svg+xml")
            .zip(appearance.base.as_ref());
        let footer = appearance.footer.as_deref();
        Self {
            lang: &appearance.language,
            dir: appearance.direction,
            logo: appearance
                .logo
                .as_ref()
                .map(|logo| image_address(logo, &root, medium)),
            favicon: appearance.favicon.as_ref().map(|icon| Favicon {
                href: image_address(icon, &root, medium),
                content_type: content_type(&icon.path),
            }),
            footer: footer.map(|footer| markdown::render(PageFormat::Html, footer)),
            title: site.title.clone(),
            summary: None,
            service_root: root.clone(),
            canonical: None,
            image: preview.map(|(logo, base)| base.address(false, &logo.path)),
            missing: false,
            own_index: None,
            catalog: site.front().map(|front| CatalogLinks {
                href: format!("{root}.well-known/api-catalog"),
                feed: front.has_feed().then(|| format!("{root}changes.atom")),
            }),
            files: SharedFiles {
                style_css: asset_path(site, "style.css"),
                icon_svg: asset_path(site, "icon.svg"),
                theme_js: asset_path(site, "theme.js"),
                docent_js: asset_path(site, "docent.js"),
                front: publish::address(appearance.is_clean, "index.html"),
            },
            home: site.home(&root),
            site_title: &site.title,
            version: None,
            newest: None,
            markdown_page: None,
            calls: false,
            callable: false,
            downloads: None,
            inline: None,
            root,
            nav,
            main,
        }
    }
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
pub(crate) fn shell<'a>(scope: &PageScope<'a>, content: PageContent) -> Shell<'a> {
    let site = scope.site;
    let links = &scope.text.links;
    let is_folder = links.medium == Medium::Folder;
    let is_call = matches!(scope.target, PageTarget::Procedure(_));
    let section = links.plan.section(scope.target);
    let page = format!("{}.html", section.trim_start_matches('/'));
    let root = links.to_root();
    let lists_services = site.front().is_some() || site.is_catalogue() && !is_folder;
    let nav = if lists_services {
        service_links(site, links.medium, &root, &page)
    } else {
        nav(scope)
    };
    let mut shell = Shell::new(site, root, links.medium, nav, content.main);
    shell.title = shorten(&title(scope, content.title), 200).into_owned();
    shell.summary = content.summary;
    shell.service_root.clone_from(&links.to_service);
    shell.version = version(scope);
    shell.calls = is_call;
    shell.callable = !is_folder || is_call;
    if is_folder {
        // The front of a catalogue has guides, but no service.
        shell.downloads = site.front().is_none().then(|| service_files(scope));
        shell.canonical = site.absolute(&page);
        shell.newest = scope.newest();
        if let SitePart::Service(folder) = &site.part {
            shell.own_index = Some(format!("{folder}/"));
        }
        // The Markdown page is next to its page.
        let name = section.rsplit('/').next().unwrap_or_default();
        shell.markdown_page = Some(format!("{name}.md"));
    }
    if !site.is_catalogue() || !is_folder {
        shell.home = links.to(PageTarget::Overview);
    }
    shell
}

/// Returns the files and addresses that the service has beside those that each has.
fn service_files(scope: &PageScope<'_>) -> ServiceFiles {
    ServiceFiles {
        openapi: !scope.is_foreign(),
        mcp: scope.service.mcp.as_ref().map(|mcp| {
            let root = if mcp.relative {
                &*scope.text.links.to_service
            } else {
                ""
            };
            format!("{root}{}", mcp.text)
        }),
    }
}

/// Returns the title of a page for the browser: its own title, and the name of the service or of the site.
fn title(scope: &PageScope<'_>, own_title: String) -> String {
    if scope.target == PageTarget::Overview {
        return own_title;
    }
    let service = &scope.service.label;
    let is_part = matches!(scope.site.part, SitePart::Service(_));
    let name = if *service == scope.description.name && !is_part {
        &scope.site.title
    } else {
        service
    };
    format!("{own_title} · {name}")
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
pub(crate) fn site_page<'a>(site: &'a Site, path: &str, main: Markup) -> Shell<'a> {
    let nav = service_links(site, Medium::Folder, "", path);
    let mut shell = Shell::new(site, String::new(), Medium::Folder, nav, main);
    shell.canonical = site.absolute(path);
    if path != "index.html" {
        let name = site.strings.get("changes");
        shell.title = format!("{name} · {}", site.title);
    }
    shell.markdown_page = Some(path.replace(".html", ".md"));
    shell
}
