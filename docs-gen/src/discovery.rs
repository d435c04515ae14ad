//! Files by which programs find the services of a catalogue: an API catalogue, entities of Backstage, a
//! list for MCP registries, a feed of changes, and sitemaps.
//!
//! They are written here and not by templates, because programs read them and nobody restyles them. A
//! text of a description is always a JSON string or escaped for XML.
//!
//! | file | format |
//! |---|---|
//! | `.well-known/api-catalog` | RFC 9727, a link set of RFC 9264 |
//! | `catalog-info.yaml` | entities of Backstage |
//! | `v0/servers`, `v0.1/servers` | the list of an MCP registry |
//! | `changes.atom` | RFC 4287 |
//! | `sitemap.xml`, `sitemap-front.xml` | sitemaps.org |

use std::fmt::Write;

use docent_describe::Origin;
use hmac_sha256::Hash;
use serde_json::{Value, json};
use url::Url;

use crate::part::{CatalogueFront, ServiceCard, Update};
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
pub(crate) fn api_catalog(site: &Site, front: &CatalogueFront) -> String {
    let mut items = Vec::new();
    let mut services = Vec::new();
    for card in &front.cards {
        let links = described_links(site, card);
        let title = shown_name(&card.description.name);
        items.push(json!({ "href": links["anchor"], "title": title }));
        services.push(links);
    }
    let mut linkset = vec![json!({ "anchor": "api-catalog", "item": items })];
    linkset.extend(services);
    json!({ "linkset": linkset }).to_string()
}

/// Returns the links from the address of a service to its descriptions and its pages.
fn described_links(site: &Site, card: &ServiceCard) -> Value {
    let folder = address(site, "../", &card.folder);
    let page = address(site, "../", &format!("{}index.html", card.folder));
    let json = "application/json";
    let mut described = vec![json!({ "href": format!("{folder}description.json"), "type": json })];
    if has_openapi(card) {
        described.push(json!({
            "href": format!("{folder}openapi.json"), "type": json, "title": "OpenAPI",
        }));
    }
    described.push(json!({
        "href": format!("{folder}openrpc.json"), "type": json, "title": "OpenRPC",
    }));
    json!({
        "anchor": card.description.address.as_ref().unwrap_or(&page),
        "service-desc": described,
        "service-doc": [
            { "href": page, "type": "text/html" },
            { "href": format!("{folder}llms.txt"), "type": "text/plain", "title": "llms.txt" },
        ],
    })
}

/// Returns the services as entities of Backstage (kind API).
pub(crate) fn backstage(front: &CatalogueFront) -> String {
    front.cards.iter().map(backstage_entity).collect()
}

/// Returns the entity of a service, as a document of YAML.
fn backstage_entity(card: &ServiceCard) -> String {
    let description = &card.description;
    let kind = if has_openapi(card) {
        "openapi"
    } else {
        "openrpc"
    };
    let name = yaml_string(&backstage_name(&card.folder));
    let title = yaml_string(&plain(&shown_name(&description.name)));
    let mut metadata = format!("  name: {name}\n  title: {title}\n");
    if let Some(summary) = &description.summary {
        let summary = yaml_string(&plain(summary));
        // Writing to a `String` cannot fail.
        let _ = writeln!(metadata, "  description: {summary}");
    }
    let file = yaml_string(&format!("./{}{kind}.json", card.folder));
    format!(
        "---\napiVersion: backstage.io/v1alpha1\nkind: API\nmetadata:\n{metadata}spec:\n  type: \
         {kind}\n  lifecycle: production\n  owner: unknown\n  definition:\n    $text: {file}\n"
    )
}

/// Returns a text as a scalar of YAML, which a JSON string is too.
fn yaml_string(text: &str) -> String {
    json!(text).to_string()
}

/// Returns a name of at most 63 letters, digits and `-_.`, with letters or digits at its ends.
fn backstage_name(folder: &str) -> String {
    let folder = folder.trim_end_matches('/');
    let name = folder.trim_matches(|character: char| !character.is_ascii_alphanumeric());
    if name == folder && name.len() <= MAX_BACKSTAGE_NAME {
        return name.to_owned();
    }
    let hash = format!("{:08x}", slug::hash(folder.as_bytes()) & 0xffff_ffff);
    let start = &name[..name.len().min(MAX_BACKSTAGE_NAME - 1 - hash.len())];
    format!("{start}-{hash}").trim_start_matches('-').to_owned()
}

/// Returns the servers of tools in the form of the MCP registry's `GET /v0/servers`, all on one page.
pub(crate) fn mcp_servers(site: &Site, front: &CatalogueFront) -> String {
    let servers: Vec<Value> = front
        .cards
        .iter()
        .filter(|card| card.is_of_tools())
        .map(|card| mcp_server(site, card))
        .collect();
    let count = servers.len();
    json!({ "servers": servers, "metadata": { "count": count } }).to_string()
}

/// Returns the entry of a server of tools.
fn mcp_server(site: &Site, card: &ServiceCard) -> Value {
    let description = &card.description;
    let base = site.appearance.base.as_ref().map(|base| &base.0);
    let remote = description
        .address
        .as_deref()
        .and_then(|address| Url::parse(address).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https"));
    let title = shown_name(&description.name);
    let summary = description
        .summary
        .as_deref()
        .map(plain)
        .filter(|summary| !summary.is_empty());
    let mut server = json!({
        "$schema": SERVER_SCHEMA,
        "name": server_name(base.or(remote.as_ref()), card),
        "title": server_text(&title),
        "description": server_text(summary.as_deref().unwrap_or(&title)),
        "version": plain(description.version.as_deref().unwrap_or("0.0.0")),
    });
    if base.is_some() {
        let page = format!("{}index.html", card.folder);
        server["websiteUrl"] = json!(address(site, "", &page));
    }
    if let Some(remote) = &remote {
        server["remotes"] = json!([{ "type": "streamable-http", "url": remote.as_str() }]);
    }
    let official = json!({ "status": "active", "isLatest": true });
    json!({
        "server": server,
        "_meta": { "io.modelcontextprotocol.registry/official": official },
    })
}

/// Returns a name of the registry: the reversed domain of whoever publishes the server, and its folder.
fn server_name(publisher: Option<&Url>, card: &ServiceCard) -> String {
    let domain = publisher.and_then(Url::domain).unwrap_or("localhost");
    let labels: Vec<&str> = domain.split('.').rev().collect();
    let folder = card.folder.trim_end_matches('/');
    let mut name = format!("{}/{folder}", labels.join("."));
    name.truncate(MAX_SERVER_NAME);
    name
}

/// Returns as much of a text as the registry accepts.
fn server_text(text: &str) -> String {
    text.chars().take(MAX_SERVER_TEXT).collect()
}

/// Returns the changes as an Atom feed (RFC 4287). Without a base URL, its links are relative to the file.
/// IDs depend on the services alone, so they stay when the site moves.
pub(crate) fn feed(site: &Site, front: &CatalogueFront) -> String {
    let dated: Vec<&Update> = front
        .updates
        .iter()
        .filter(|update| update.date.is_some())
        .collect();
    let title = escape_xml(&plain(&site.title));
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <id>{}</id>\n<title>{title}</title>\n<updated>{}</updated>\n<author><name>{title}</name></author>\n\
         <link rel=\"self\" href=\"{}\"/>\n<link href=\"{}\"/>\n",
        urn(&["catalogue", &site.title]),
        dated
            .first()
            .map(|newest| feed_date(newest))
            .unwrap_or_default(),
        feed_link(site, "changes.atom"),
        feed_link(site, "changes.html"),
    );
    for update in dated {
        let card = &front.cards[update.card];
        let description = &card.description;
        let own = if description.id.is_empty() {
            &description.name
        } else {
            &description.id
        };
        let version = update.version.as_deref().unwrap_or_default();
        let front = format!("{}index.html", card.folder);
        let page = feed_link(site, update.changes.as_ref().unwrap_or(&front));
        let date = feed_date(update);
        let summary = update.summary(&site.strings);
        let _ = write!(
            feed,
            "<entry>\n<id>{}</id>\n<title>{}</title>\n<updated>{}</updated>\n<link href=\"{page}\"/>\n\
             <summary>{}</summary>\n</entry>\n",
            urn(&[own, &date, version]),
            escape_xml(plain(&format!("{} {version}", shown_name(&description.name))).trim()),
            date,
            escape_xml(&plain(&summary)),
        );
    }
    feed + "</feed>\n"
}

/// Returns the address of a file, for the feed.
fn feed_link(site: &Site, path: &str) -> String {
    escape_xml(&address(site, "", path))
}

/// Returns the moment of an update, for the feed.
fn feed_date(update: &Update) -> String {
    escape_xml(update.date.as_deref().unwrap_or_default())
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
