//! Links from a service to everything else that its server has about it (RFC 8288).
//!
//! Only paths and relations are known here. Which links there are is decided by the server, which
//! knows what else it serves.

/// A link to a path of the server.
#[derive(Debug, Clone)]
pub struct Link {
    /// The path from the root of the server, without its first slash.
    pub path: String,
    /// The relation (RFC 8288, section 2.1).
    pub rel: &'static str,
    /// The target, if others have the same relation.
    pub target: Option<LinkTarget>,
}

/// The description of a link's target, which tells targets with the same relation apart.
#[derive(Debug, Clone, Copy)]
pub struct LinkTarget {
    /// The media type of the target.
    pub media_type: &'static str,
    /// The title of the target, for people.
    pub title: &'static str,
}

impl Link {
    /// Returns the link as a part of a `Link` field. `root` leads to the root of the server.
    pub(crate) fn field(&self, root: &str) -> String {
        let Self { path, rel, .. } = self;
        let link = format!("<{root}{path}>; rel=\"{rel}\"");
        match self.target {
            Some(LinkTarget { media_type, title }) => {
                format!("{link}; type=\"{media_type}\"; title=\"{title}\"")
            }
            None => link,
        }
    }
}

/// Returns the root of a server in which a service with this public URL has a path of `depth` segments.
pub(crate) fn root(public_url: &str, depth: usize) -> String {
    let path = public_url.find("://").map_or(0, |at| at + 3);
    let (host, path) = public_url.split_at(path);
    let mut segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    segments.truncate(segments.len().saturating_sub(depth).max(1));
    format!("{host}{}/", segments.join("/"))
}

/// Returns an address if it can appear unchanged in a header field.
pub(crate) fn linkable(address: Option<&str>) -> Option<&str> {
    address.filter(|address| {
        address
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>' | b'"'))
    })
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn the_root_is_above_the_mount() {
        for (url, depth, expected) in [
            ("https://a.example/rpc", 1, "https://a.example/"),
            ("https://a.example/x/v2/rpc", 2, "https://a.example/x/"),
            ("https://a.example", 0, "https://a.example/"),
            ("https://a.example/rpc/", 1, "https://a.example/"),
            // Behind a proxy, a service may have a shorter path than in its server.
            ("https://a.example", 2, "https://a.example/"),
        ] {
            assert_eq!(root(url, depth), expected, "{url}");
        }
    }
}
