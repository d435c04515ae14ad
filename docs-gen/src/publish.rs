//! The addresses of a published site.

use url::Url;

use crate::problem::Problem;

/// The base URL of a site: an absolute URL that ends with a slash.
#[derive(Debug, Clone)]
pub(crate) struct Base(String);

impl Base {
    /// Parses an absolute `http` or `https` URL of a folder.
    pub(crate) fn new(url: &str, problems: &mut Vec<Problem>) -> Option<Self> {
        let lower = url.to_ascii_lowercase();
        let rest = ["https://", "http://"]
            .iter()
            .find_map(|scheme| lower.strip_prefix(scheme));
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/%[]@!$&'()*+,;=".contains(&byte);
        let is_url = rest.is_some_and(|rest| {
            let host = rest.split('/').next().unwrap_or_default();
            !host.is_empty()
                && !host.contains('@')
                && rest.bytes().all(is_plain)
                && !rest.contains("/../")
        });
        if !is_url {
            problems.push(Problem::new(
                format!("base URL {url:?}"),
                "not an absolute http or https URL without a query, such as https://example.com/docs/",
            ));
            return None;
        }
        Some(Self(format!("{}/", url.trim_end_matches('/'))))
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

    /// Returns the URL of a folder of the site, which is given with its slash. `""` is the site
    /// itself.
    pub(crate) fn folder(&self, prefix: &str) -> Self {
        let Self(base) = self;
        Self(format!("{base}{prefix}"))
    }

    /// Resolves a relative reference as a browser does. Returns `None` if the result is not a URL.
    pub(crate) fn join(&self, relative: &str) -> Option<String> {
        let Self(base) = self;
        let url = Url::parse(base).ok()?.join(relative).ok()?;
        Some(url.into())
    }

    /// Returns the path of the URL, with a slash at its start and at its end.
    pub(crate) fn path(&self) -> &str {
        let Self(base) = self;
        let host = base.find("://").map_or(0, |at| at + 3);
        base[host..].find('/').map_or("/", |at| &base[host + at..])
    }
}

/// Escapes an address for XML. Of the characters that XML reserves, addresses contain only `&` and
/// quotation marks, which the base may have.
pub(crate) fn xml(address: &str) -> String {
    address.replace('&', "&amp;").replace('\'', "&apos;")
}

/// Returns the address of a file from the site's root. On a site with clean addresses, the addresses
/// of pages have no extension.
pub(crate) fn address(is_clean: bool, path: &str) -> String {
    match path.strip_suffix(".html") {
        Some("index") if is_clean => "./".to_owned(),
        Some(stem) if is_clean => match stem.strip_suffix("/index") {
            Some(folder) => format!("{folder}/"),
            None => stem.to_owned(),
        },
        _ => path.to_owned(),
    }
}

/// Returns the address of a file from a page. `up` leads from there to the file's folder.
pub(crate) fn address_from(up: &str, is_clean: bool, path: &str) -> String {
    match address(is_clean, path).as_str() {
        // `./` is the index of a folder, so the path to the folder is enough.
        "./" if !up.is_empty() => up.to_owned(),
        address => format!("{up}{address}"),
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
            ("http://[::1]:80/a/b/", "http://[::1]:80/a/b/", "/a/b/"),
        ] {
            let found = Base::new(url, &mut Vec::new()).expect("a base");
            assert_eq!((found.0.as_str(), found.path()), (base, path));
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
            assert!(Base::new(url, &mut problems).is_none(), "{url}");
            assert_eq!(problems.len(), 1, "{url}");
        }
    }

    #[test]
    fn a_relative_reference_is_resolved_as_a_browser_does() {
        let base = Base::new("https://a.example:8/x/docs", &mut Vec::new()).expect("a base");
        for (relative, absolute) in [
            ("../rpc", "https://a.example:8/x/rpc"),
            ("rpc", "https://a.example:8/x/docs/rpc"),
            ("./rpc", "https://a.example:8/x/docs/rpc"),
            ("/rpc", "https://a.example:8/rpc"),
            ("/", "https://a.example:8/"),
            ("..", "https://a.example:8/x/"),
            ("../../../../rpc/", "https://a.example:8/rpc/"),
            ("../a/../b/c?d=/../e", "https://a.example:8/x/b/c?d=/../e"),
            ("?q", "https://a.example:8/x/docs/?q"),
            ("%2e%2e/rpc", "https://a.example:8/x/rpc"),
        ] {
            assert_eq!(base.join(relative).as_deref(), Some(absolute), "{relative}");
        }
        assert_eq!(
            base.folder("v1/").join("../../rpc").as_deref(),
            Some("https://a.example:8/x/rpc")
        );
    }

    #[test]
    fn clean_addresses_have_no_extension() {
        for (path, clean) in [
            ("index.html", "./"),
            ("names/index.html", "names/"),
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
