//! Files by which programs find the services of a catalogue: an API catalogue, a feed of
//! changes, and the sitemap of its sitemaps.
//!
//! They are written here and not by templates, because programs read them and nobody restyles them. A
//! text of a description is always a JSON string or escaped for XML.
//!
//! | file | format |
//! |---|---|
//! | `.well-known/api-catalog` | RFC 9727, a link set of RFC 9264 |
//! | `changes.atom` | RFC 4287 |
//! | `sitemap.xml` | sitemaps.org |

use std::fmt::Write;

use docent_describe::Origin;
use hmac_sha256::Hash;
use serde_json::{Value, json};

use crate::part::{CatalogueFront, ServiceCard, Update};
use crate::publish::{escape_xml, sitemap};
use crate::site::{FRONT_SITEMAP_PATH, SITEMAP_PATH, Site};
use crate::text::{display_name, plain};

/// Returns the list of all services (RFC 9727), a link set (RFC 9264). Without a base URL, its links are
/// relative to the file.
pub(crate) fn api_catalog(site: &Site, front: &CatalogueFront) -> String {
    let mut items = Vec::new();
    let mut services = Vec::new();
    for card in &front.cards {
        let links = described_links(site, card);
        let title = display_name(&card.description.name);
        items.push(json!({ "href": links["anchor"], "title": title }));
        services.push(links);
    }
    let mut linkset = vec![json!({ "anchor": "api-catalog", "item": items })];
    linkset.extend(services);
    json!({ "linkset": linkset }).to_string()
}

/// Returns the links from the address of a service to its descriptions and its pages.
fn described_links(site: &Site, card: &ServiceCard) -> Value {
    let folder = site.address_from("../", &card.folder);
    let page = site.address_from("../", &format!("{}index.html", card.folder));
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
        let id = if description.id.is_empty() {
            &description.name
        } else {
            &description.id
        };
        let version = update.version.as_deref().unwrap_or_default();
        let overview = format!("{}index.html", card.folder);
        let page = feed_link(site, update.changes.as_ref().unwrap_or(&overview));
        let date = feed_date(update);
        let summary = update.summary(&site.strings);
        let _ = write!(
            feed,
            "<entry>\n<id>{}</id>\n<title>{}</title>\n<updated>{}</updated>\n<link href=\"{page}\"/>\n\
             <summary>{}</summary>\n</entry>\n",
            urn(&[id, &date, version]),
            escape_xml(plain(&format!("{} {version}", display_name(&description.name))).trim()),
            date,
            escape_xml(&plain(&summary)),
        );
    }
    feed + "</feed>\n"
}

/// Returns the address of a file, for the feed.
fn feed_link(site: &Site, path: &str) -> String {
    escape_xml(&site.address_from("", path))
}

/// Returns the moment of an update, for the feed.
fn feed_date(update: &Update) -> String {
    escape_xml(update.date.as_deref().unwrap_or_default())
}

/// Returns the list of the sitemaps of all services, and of the catalogue's own pages.
pub(crate) fn sitemap_index(site: &Site) -> String {
    let mut addresses = vec![site.address_from("", FRONT_SITEMAP_PATH)];
    for card in site.cards().iter() {
        addresses.push(site.address_from("", &format!("{}{SITEMAP_PATH}", card.folder)));
    }
    sitemap("sitemapindex", "sitemap", addresses.into_iter())
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
