//! Files by which programs find the services of a catalogue.

use std::fmt::Write;

use docent_describe::Origin;
use hmac_sha256::Hash;
use serde_json::{Value, json};
use url::Url;

use crate::part::{Front, ServiceCard, Update};
use crate::publish::{self, escape_xml};
use crate::site::{FRONT_SITEMAP_PATH, SITEMAP_PATH, Site};
use crate::slug;
use crate::text::{plain, shown_name};

/// The maximum length of `metadata.name` in Backstage.
const MAX_BACKSTAGE_NAME: usize = 63;

/// The schema of the entries in the MCP registry.
const SERVER_SCHEMA: &str =
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The maximum length of a name in the MCP registry.
const MAX_SERVER_NAME: usize = 200;

/// The maximum length of a title or description in the MCP registry, in characters.
const MAX_SERVER_TEXT: usize = 100;

/// Returns the list of all services (RFC 9727), a link set (RFC 9264). Without a base URL, its links are
/// relative to the file.
pub(crate) fn api_catalog(site: &Site, front: &Front) -> String {
    let links = |card: &ServiceCard| {
        let file = |name: &str| address(site, "../", &format!("{}{name}", card.folder));
        let page = file("index.html");
        let json = "application/json";
        let mut described = vec![json!({ "href": file("description.json"), "type": json })];
        if has_openapi(card) {
            described.push(json!({
                "href": file("openapi.json"), "type": json, "title": "OpenAPI",
            }));
        }
        described.push(json!({ "href": file("openrpc.json"), "type": json, "title": "OpenRPC" }));
        json!({
            "anchor": card.description.address.as_ref().unwrap_or(&page),
            "service-desc": described,
            "service-doc": [
                { "href": page, "type": "text/html" },
                { "href": file("llms.txt"), "type": "text/plain", "title": "llms.txt" },
            ],
        })
    };
    let links: Vec<Value> = front.cards.iter().map(links).collect();
    let items = links.iter().zip(&front.cards).map(
        |(it, card)| json!({ "href": it["anchor"], "title": shown_name(&card.description.name) }),
    );
    let list = json!({ "anchor": "api-catalog", "item": items.collect::<Vec<_>>() });
    let linkset: Vec<Value> = [list].into_iter().chain(links).collect();
    json!({ "linkset": linkset }).to_string()
}

/// Returns the services as entities of Backstage (kind API). A JSON string is a scalar of YAML too.
pub(crate) fn backstage(front: &Front) -> String {
    let entity = |card: &ServiceCard| {
        let description = &card.description;
        let kind = if has_openapi(card) {
            "openapi"
        } else {
            "openrpc"
        };
        let text = |text: &str| json!(plain(text)).to_string();
        let mut metadata = format!("  name: {}\n", json!(backstage_name(&card.folder)));
        let _ = writeln!(
            metadata,
            "  title: {}",
            text(&shown_name(&description.name))
        );
        if let Some(summary) = &description.summary {
            let _ = writeln!(metadata, "  description: {}", text(summary));
        }
        let file = json!(format!("./{}{kind}.json", card.folder));
        format!(
            "---\napiVersion: backstage.io/v1alpha1\nkind: API\nmetadata:\n{metadata}spec:\n  type: \
             {kind}\n  lifecycle: production\n  owner: unknown\n  definition:\n    $text: {file}\n"
        )
    };
    front.cards.iter().map(entity).collect()
}

/// Returns a name of at most 63 letters, digits and `-_.`, with letters or digits at its ends.
fn backstage_name(folder: &str) -> String {
    let folder = folder.trim_end_matches('/');
    let name = folder.trim_matches(|it: char| !it.is_ascii_alphanumeric());
    if name == folder && name.len() <= MAX_BACKSTAGE_NAME {
        return name.to_owned();
    }
    let hash = format!("{:08x}", slug::hash(folder.as_bytes()) & 0xffff_ffff);
    let start = &name[..name.len().min(MAX_BACKSTAGE_NAME - 1 - hash.len())];
    format!("{start}-{hash}").trim_start_matches('-').to_owned()
}

/// Returns the servers of tools in the form of the MCP registry's `GET /v0/servers`, all on one page.
pub(crate) fn mcp_servers(site: &Site, front: &Front) -> String {
    let base = site.appearance.base.as_ref();
    let base = base.and_then(|base| Url::parse(&base.address(false, "")).ok());
    let server = |card: &ServiceCard| {
        let description = &card.description;
        let address = description.address.as_deref();
        let remote = address
            .and_then(|it| Url::parse(it).ok())
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        let owner: Vec<&str> = base
            .as_ref()
            .or(remote.as_ref())
            .and_then(Url::domain)
            .unwrap_or("localhost")
            .split('.')
            .rev()
            .collect();
        let folder = card.folder.trim_end_matches('/');
        let mut name = format!("{}/{folder}", owner.join("."));
        name.truncate(MAX_SERVER_NAME);
        let version = plain(description.version.as_deref().unwrap_or("0.0.0"));
        let summary = description
            .summary
            .as_deref()
            .map(plain)
            .filter(|it| !it.is_empty());
        let title = shown_name(&description.name);
        let short = |text: &str| text.chars().take(MAX_SERVER_TEXT).collect::<String>();
        let mut server = json!({
            "$schema": SERVER_SCHEMA,
            "name": name,
            "title": short(&title),
            "description": short(summary.as_deref().unwrap_or(&title)),
            "version": version,
        });
        if base.is_some() {
            let page = format!("{}index.html", card.folder);
            server["websiteUrl"] = json!(self::address(site, "", &page));
        }
        if let Some(remote) = remote {
            server["remotes"] = json!([{ "type": "streamable-http", "url": remote.as_str() }]);
        }
        let official = json!({ "status": "active", "isLatest": true });
        json!({
            "server": server,
            "_meta": { "io.modelcontextprotocol.registry/official": official },
        })
    };
    let servers: Vec<Value> = front
        .cards
        .iter()
        .filter(|card| card.is_of_tools())
        .map(server)
        .collect();
    let count = servers.len();
    json!({ "servers": servers, "metadata": { "count": count } }).to_string()
}

/// Returns the changes as an Atom feed (RFC 4287). Without a base URL, its links are relative to the file.
/// IDs depend on the services alone, so they stay when the site moves.
pub(crate) fn feed(site: &Site, front: &Front) -> String {
    let link = |path: &str| escape_xml(&address(site, "", path));
    let dated = || front.updates.iter().filter(|it| it.date.is_some());
    let date = |update: &Update| escape_xml(update.date.as_deref().unwrap_or_default());
    let title = escape_xml(&plain(&site.title));
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>{}</id>\n<title>{title}</title>\n<updated>{}</updated>\n<author><name>{title}</name></author>\n\
         <link rel=\"self\" href=\"{}\"/>\n<link href=\"{}\"/>\n",
        urn(&["catalogue", &site.title]),
        dated().next().map(date).unwrap_or_default(),
        link("changes.atom"),
        link("changes.html"),
    );
    for update in dated() {
        let card = &front.cards[update.card];
        let description = &card.description;
        let own = if description.id.is_empty() {
            &description.name
        } else {
            &description.id
        };
        let version = update.version.as_deref().unwrap_or_default();
        let front = format!("{}index.html", card.folder);
        let page = link(update.changes.as_ref().unwrap_or(&front));
        let said = update.summary(&site.strings);
        let _ = write!(
            feed,
            "<entry>\n<id>{}</id>\n<title>{}</title>\n<updated>{}</updated>\n<link href=\"{page}\"/>\n\
             <summary>{}</summary>\n</entry>\n",
            urn(&[own, &date(update), version]),
            escape_xml(plain(&format!("{} {version}", shown_name(&description.name))).trim()),
            date(update),
            escape_xml(&plain(&said)),
        );
    }
    feed + "</feed>\n"
}

/// Returns the list of the sitemaps of all services, and of the catalogue's own pages.
pub(crate) fn sitemap_index(site: &Site) -> String {
    let cards = site.cards();
    let of_services = cards
        .iter()
        .map(|card| format!("{}{SITEMAP_PATH}", card.folder));
    let all = [FRONT_SITEMAP_PATH.to_owned()]
        .into_iter()
        .chain(of_services);
    sitemap(site, "sitemapindex", "sitemap", all)
}

/// Returns a list of the absolute addresses of files, in the format of <https://www.sitemaps.org>.
pub(crate) fn sitemap(
    site: &Site,
    list: &str,
    entry: &str,
    paths: impl Iterator<Item = String>,
) -> String {
    let entries = paths.map(|path| {
        let address = escape_xml(&address(site, "", &path));
        format!("<{entry}><loc>{address}</loc></{entry}>\n")
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <{list} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{}</{list}>\n",
        entries.collect::<String>()
    )
}

/// Returns the absolute address of a file or, without a base URL, the one from a file from which `up`
/// leads to the site's folder.
fn address(site: &Site, up: &str, path: &str) -> String {
    let is_clean = site.appearance.is_clean;
    match &site.appearance.base {
        Some(base) => base.address(is_clean, path),
        None => publish::address_from(up, is_clean, path),
    }
}

/// Returns whether the site has an OpenAPI document of the service.
fn has_openapi(card: &ServiceCard) -> bool {
    card.description.origin == Origin::Docent
}

/// Returns a UUID that stands for these texts (RFC 9562, version 8).
fn urn(texts: &[&str]) -> String {
    let hash = Hash::hash(json!(texts).to_string().as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    let mut hex = format!("{:032x}", u128::from_be_bytes(bytes));
    hex.replace_range(12..13, "8");
    hex.replace_range(16..17, "8");
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &hex[part]);
    format!("urn:uuid:{}", parts.join("-"))
}
