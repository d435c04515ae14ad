//! The addresses of a published site, its sitemaps, and the media types of its files.
//!
//! A site knows its own URL only if its author gives it, as a `BaseUrl`. It is for files that are read
//! away from the site: feeds, sitemaps and canonical addresses. Links between pages are relative, and
//! made in `links`.

use std::fmt::Write;

use url::Url;

use crate::problem::Problem;
use crate::text::escape_into;

/// The base URL of a site: an absolute URL that ends with a slash.
#[derive(Debug, Clone)]
pub(crate) struct BaseUrl(pub(crate) Url);

impl BaseUrl {
    /// Parses an absolute `http` or `https` URL of a folder.
    pub(crate) fn new(url: &str, problems: &mut Vec<Problem>) -> Option<Self> {
        let folder = format!("{}/", url.trim_end_matches('/'));
        let base = Url::parse(&folder)
            .ok()
            .filter(|parsed| is_public_folder(parsed, &folder));
        if base.is_none() {
            problems.push(Problem::new(
                format!("base URL {url:?}"),
                "not an absolute http or https URL without a query, such as https://example.com/docs/",
            ));
        }
        base.map(Self)
    }

    /// Returns the absolute address of a file of the site.
    pub(crate) fn address(&self, is_clean: bool, path: &str) -> String {
        let Self(base) = self;
        // The address of an index is its folder, whatever form links have.
        if path == "index.html" || path.ends_with("/index.html") {
            return format!("{base}{}", path.trim_end_matches("index.html"));
        }
        format!("{base}{}", address(is_clean, path))
    }
}

/// Returns whether a URL is that of a public folder, and was written as the parser reads it. The parser
/// repairs much that was hardly meant, such as a missing host or a path out of its folder.
fn is_public_folder(parsed: &Url, written: &str) -> bool {
    let rest = written.split_once("://").map_or("/", |(_, rest)| rest);
    matches!(parsed.scheme(), "http" | "https")
        && parsed.username().is_empty()
        && parsed.password().is_none()
        && rest.bytes().all(is_plain)
        && !rest.starts_with('/')
        && !rest.contains("/../")
}

/// Returns whether a byte can be part of a URL without a query.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/%[]@!$&'()*+,;=".contains(&byte)
}

/// Escapes text for XML.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut escaped = String::new();
    escape_into(text, &mut escaped);
    // These two are no characters of XML.
    escaped.replace(['\u{fffe}', '\u{ffff}'], "")
}

/// Returns the address of a file from the site's root. On a site with clean addresses, the addresses
/// of pages have no extension.
pub(crate) fn address(is_clean: bool, path: &str) -> &str {
    match path.strip_suffix(".html") {
        Some("index") if is_clean => "./",
        Some(stem) if is_clean => match stem.strip_suffix("index") {
            Some(folder) if folder.ends_with('/') => folder,
            _ => stem,
        },
        _ => path,
    }
}

/// Returns the address of a file from a page. `up` leads from there to the file's folder.
pub(crate) fn address_from(up: &str, is_clean: bool, path: &str) -> String {
    match address(is_clean, path) {
        // `./` is the index of a folder, so the path to the folder is enough.
        "./" if !up.is_empty() => up.to_owned(),
        address => [up, address].concat(),
    }
}

/// Returns a list of addresses in the format of <https://www.sitemaps.org>, whose elements are named `list` and
/// `entry`.
pub(crate) fn sitemap(list: &str, entry: &str, addresses: impl Iterator<Item = String>) -> String {
    let mut entries = String::new();
    for address in addresses {
        let address = escape_xml(&address);
        // Writing to a `String` cannot fail.
        let _ = writeln!(entries, "<{entry}><loc>{address}</loc></{entry}>");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <{list} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</{list}>\n"
    )
}

/// Returns the media type of a file.
pub(crate) fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "txt" => "text/plain; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "xml" => "application/xml",
        "atom" => "application/atom+xml",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_the_url_of_a_folder() {
        for (url, base, path) in [
            ("https://a.example", "https://a.example/", "/"),
            (
                "https://a.example/docs",
                "https://a.example/docs/",
                "/docs/",
            ),
            ("http://[::1]:80/a/b/", "http://[::1]/a/b/", "/a/b/"),
        ] {
            let found = BaseUrl::new(url, &mut Vec::new()).expect("a base");
            assert_eq!((found.0.as_str(), found.0.path()), (base, path));
        }
        for url in [
            "",
            "docs/",
            "//a.example/",
            "javascript:alert(1)",
            "https://",
            "https:///x",
            "https://a.example/?q",
            "https://a.example/#x",
            "https://a.example/\"><script>",
            "https://user:pass@a.example/",
            "https://a.example/a b",
            "https://a.example/../b",
        ] {
            let mut problems = Vec::new();
            assert!(BaseUrl::new(url, &mut problems).is_none(), "{url}");
            assert_eq!(problems.len(), 1, "{url}");
        }
    }

    #[test]
    fn clean_addresses_have_no_extension() {
        for (path, clean) in [
            ("index.html", "./"),
            ("book.find.html", "book.find"),
            ("types/index.html", "types/"),
            ("llms.txt", "llms.txt"),
            ("book.find.md", "book.find.md"),
        ] {
            assert_eq!(address(true, path), clean);
            assert_eq!(address(false, path), path);
        }
    }
}
