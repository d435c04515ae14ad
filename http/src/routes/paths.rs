//! The paths at which a host serves its services, its pages and tools for agents.
//!
//! All paths are checked together before anything is served, because a service at the path of
//! another would never be reached.

use std::io;

use super::mount_path::{self, MountPath};
use super::settings::Routes;
use crate::link::{Link, LinkTarget};
use crate::{catalog, front_door};

impl Routes {
    /// Rejects services that could not be reached or described, and settings for tools that have no
    /// effect.
    pub(super) fn check_paths(&self) -> io::Result<()> {
        let mut mistakes = self.mistakes(&self.pages());
        for (path, _) in &self.services {
            mistakes.extend(MountPath::new(path).pattern_mistake());
        }
        for (path, _) in self.agents() {
            mistakes.extend(path.pattern_mistake());
        }
        mount_path::check_mistakes(&mistakes)
    }

    /// Returns what is wrong with the paths and the settings for hosts, origins and tools, if these pages are served.
    pub(super) fn mistakes(&self, pages: &[MountPath]) -> Vec<String> {
        let mounts: Vec<_> = self
            .services
            .iter()
            .map(|(path, service)| (MountPath::new(path), service))
            .collect();
        let agents: Vec<_> = self.agents().into_iter().map(|(path, _)| path).collect();
        let taken = [pages, &agents].concat();
        let mut mistakes = mount_path::mistakes(&mounts, &taken);
        for (path, _) in &mounts {
            mistakes.extend(taken_by(path, &taken));
        }
        for (at, path) in agents.iter().enumerate() {
            mistakes.extend(path.fault());
            mistakes.extend(taken_by(path, pages));
            if agents[..at].iter().any(|other| other.is_same_as(path)) {
                mistakes.push(format!(
                    "two services would offer tools at \"{path}\": choose a path for each with \
                     `mcp_at`"
                ));
            }
        }
        mistakes.extend(self.mistakes_of_lists());
        #[cfg(feature = "mcp")]
        mistakes.extend(self.mistakes_of_tools());
        mistakes
    }

    /// Returns the paths of the server's own pages.
    fn pages(&self) -> Vec<MountPath> {
        let mut pages = vec![MountPath::new("/health"), MountPath::new(catalog::PATH)];
        if self.services.len() == 1 {
            pages.push(MountPath::new(front_door::OPENAPI_PATH));
        }
        #[cfg(feature = "metrics")]
        if self.serves_metrics {
            pages.push(MountPath::new("/metrics"));
        }
        if self.has_docs {
            pages.push(site());
        }
        pages
    }

    /// Returns the paths for tools.
    #[cfg(not(feature = "mcp"))]
    #[expect(clippy::unused_self, reason = "with the feature, it has paths")]
    pub(super) fn agents(&self) -> Vec<(MountPath, usize)> {
        Vec::new()
    }

    /// Returns the links from the service at this position to everything else that this server has about
    /// it. `folder` is that of its pages.
    pub(super) fn links(&self, service: usize, folder: Option<&String>) -> Vec<Link> {
        let mut links = Vec::new();
        match folder {
            Some(folder) => links.extend([
                description_link(format!("{folder}openapi.json"), "OpenAPI"),
                description_link(format!("{folder}openrpc.json"), "OpenRPC"),
                Link {
                    path: format!("{folder}llms.txt"),
                    rel: "service-doc",
                    target: Some(LinkTarget {
                        media_type: "text/plain",
                        title: "llms.txt",
                    }),
                },
            ]),
            None if self.services.len() == 1 => {
                links.push(description_link("openapi.json".to_owned(), "OpenAPI"));
            }
            None => {}
        }
        for (path, owner) in self.agents() {
            if owner == service {
                links.push(Link {
                    path: path.segments(),
                    rel: "related",
                    target: Some(LinkTarget {
                        media_type: "application/json",
                        title: "MCP",
                    }),
                });
            }
        }
        links.push(Link {
            path: catalog::PATH.trim_start_matches('/').to_owned(),
            rel: "api-catalog",
            target: None,
        });
        links
    }

    /// Returns the line that announces a server whose URLs begin with `base`.
    pub fn announcement(&self, base: &str) -> String {
        let addresses: Vec<_> = self
            .services
            .iter()
            .map(|(path, _)| format!("{base}{}", MountPath::new(path)))
            .collect();
        let mut line = format!("listening on {}", addresses.join(" and "));
        if self.has_docs {
            line.extend([", docs at ", base, &site().to_string()]);
        }
        for (path, _) in self.agents() {
            line.extend([", tools for agents at ", base, &path.to_string()]);
        }
        line
    }
}

/// Returns a link to a description in another format.
fn description_link(path: String, title: &'static str) -> Link {
    Link {
        path,
        rel: "service-desc",
        target: Some(LinkTarget {
            media_type: "application/json",
            title,
        }),
    }
}

/// Returns the path of the reference site.
pub(super) fn site() -> MountPath {
    MountPath::new("/docs")
}

/// Returns the mistake of a path that another takes, if one does.
fn taken_by(path: &MountPath, taken: &[MountPath]) -> Option<String> {
    let own = taken.iter().find(|own| covers(own, path))?;
    Some(format!(
        "\"{path}\" is taken: the server itself serves \"{own}\""
    ))
}

/// Returns whether a path of the server itself gets the requests for another. The site covers everything
/// below its path; the others are single addresses.
fn covers(own: &MountPath, path: &MountPath) -> bool {
    path.is_same_as(own) || (own.is_same_as(&site()) && path.is_below(own))
}

#[cfg(test)]
mod tests {
    use docent_core::{Cx, Fault, Procedure, Service};

    use super::*;

    fn service() -> Service {
        let hello = Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello"));
        #[cfg(feature = "mcp")]
        let hello = hello.tool();
        let builder = Service::builder("greeter", "urn:example:greeter");
        builder.procedure(hello).build().expect("a service")
    }

    #[test]
    fn a_line_names_every_service_and_the_site() {
        let mut routes = Routes::at("/rpc", service()).mount("v2/rpc/", service());
        #[cfg(feature = "mcp")]
        {
            routes = routes.without_mcp();
        }
        routes.has_docs = true;
        assert_eq!(
            routes.announcement("http://[::1]:8080"),
            "listening on http://[::1]:8080/rpc and http://[::1]:8080/v2/rpc, \
             docs at http://[::1]:8080/docs"
        );
        let routes = Routes::at("", service()).without_docs();
        let line = routes.announcement("http://unix:/run/library.sock:");
        let listening = "listening on http://unix:/run/library.sock:/";
        #[cfg(feature = "mcp")]
        let listening =
            &format!("{listening}, tools for agents at http://unix:/run/library.sock:/mcp");
        assert_eq!(line, *listening);
    }
}
