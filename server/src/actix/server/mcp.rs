//! The addresses at which a server offers tools to agents.

use std::io;

use docent_core::Service;
use docent_http::Endpoint;
use docent_http::origin::is_origin;

use super::Server;
use crate::actix::mount::Mount;
use crate::actix::places::MountPath;

/// The default path, for a server on which only one service has tools.
const DEFAULT: &str = "/mcp";

/// The paths at which a server offers tools.
#[derive(Debug, Clone, Default)]
pub(super) struct Agents {
    disabled: bool,
    /// The paths, each with that of its service.
    chosen: Vec<(String, String)>,
}

/// A service with tools, and the path at which it offers them.
#[derive(Debug, Clone)]
pub(super) struct McpEndpoint {
    pub(super) place: MountPath,
    pub(super) endpoint: Endpoint,
}

impl Server {
    /// Offers the tools of the service at `mount` to agents at this path, in place of `/mcp`. A server with
    /// several services that have tools needs a path for each.
    ///
    /// ```
    /// # use docent_server::{Cx, Fault, Procedure, Server, Service};
    /// # fn service(version: &str) -> Result<Service, docent_server::BuildError> {
    /// #     Service::builder("greeter", "urn:uuid:41544946-415a-495a-5645-454441534611").version(version)
    /// #         .procedure(Procedure::sync("hello", |_: Cx, (): ()| Ok::<_, Fault>("hello")).tool())
    /// #         .build()
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::at("/rpc/v1", service("1.0")?)
    ///     .mount("/rpc/v2", service("2.0")?)
    ///     .mcp_at("/mcp/v1", "/rpc/v1")
    ///     .mcp_at("/mcp/v2", "/rpc/v2")
    ///     .bind("127.0.0.1:0")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn mcp_at(mut self, path: impl Into<String>, mount: impl Into<String>) -> Self {
        self.mcp.chosen.push((path.into(), mount.into()));
        self
    }

    /// Offers no tools over HTTP.
    pub fn without_mcp(mut self) -> Self {
        self.mcp.disabled = true;
        self
    }
}

impl Agents {
    /// Returns the paths for tools, and the positions of their services among those of the server.
    fn paths(&self, services: &[(MountPath, &Service)]) -> Vec<(MountPath, usize)> {
        if self.disabled {
            return Vec::new();
        }
        let with_tools = services.iter().enumerate();
        let with_tools = with_tools.filter(|(_, (_, service))| service.tools().next().is_some());
        let paths = with_tools.flat_map(|(at, (mount, _))| {
            let is_chosen = |of: &str| MountPath::new(of).is_same_as(mount);
            let chosen = self.chosen.iter().filter(move |(_, of)| is_chosen(of));
            let mut paths: Vec<_> = chosen.map(|(path, _)| (MountPath::new(path), at)).collect();
            if paths.is_empty() {
                paths.push((MountPath::new(DEFAULT), at));
            }
            paths
        });
        paths.collect()
    }

    /// Returns the paths for tools.
    pub(super) fn places(&self, services: &[(String, Service)]) -> Vec<MountPath> {
        let services = services.iter();
        let services: Vec<_> = services
            .map(|(path, service)| (MountPath::new(path), service))
            .collect();
        let paths = self.paths(&services).into_iter();
        paths.map(|(place, _)| place).collect()
    }

    /// Returns the services with tools. They share their limits with the mounts.
    pub(super) fn endpoints(&self, mounts: &[Mount]) -> io::Result<Vec<McpEndpoint>> {
        let services = mounts.iter();
        let services: Vec<_> = services
            .map(|mount| (mount.place(), &mount.endpoint().service))
            .collect();
        let paths = self.paths(&services);
        let mistakes = self.mistakes(&services, &paths, mounts);
        if !mistakes.is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                mistakes.join("; "),
            ));
        }
        let endpoints = paths.into_iter().map(|(place, at)| McpEndpoint {
            place,
            endpoint: mounts[at].endpoint().clone(),
        });
        Ok(endpoints.collect())
    }

    fn mistakes(
        &self,
        services: &[(MountPath, &Service)],
        paths: &[(MountPath, usize)],
        mounts: &[Mount],
    ) -> Vec<String> {
        let mut mistakes = Vec::new();
        if self.disabled {
            return mistakes;
        }
        for (path, mount) in &self.chosen {
            let place = MountPath::new(mount);
            let service = services.iter().find(|(other, _)| other.is_same_as(&place));
            match service {
                None => mistakes.push(format!(
                    "`Server::mcp_at(\"{path}\", \"{mount}\")`: no service is mounted there"
                )),
                Some((_, service)) if service.tools().next().is_none() => mistakes.push(format!(
                    "`Server::mcp_at(\"{path}\", \"{mount}\")`: this service has no tools"
                )),
                Some(_) => {}
            }
        }
        for (at, (place, _)) in paths.iter().enumerate() {
            mistakes.extend(place.fault());
            if place.has_patterns() {
                mistakes.push(format!("\"{place}\" is a pattern: agents need one address"));
            }
            if paths[..at].iter().any(|(other, _)| other.is_same_as(place)) {
                mistakes.push(format!(
                    "two services would offer tools at \"{place}\": choose a path for each with \
                     `Server::mcp_at`"
                ));
            }
        }
        let options = mounts.first().map(|mount| &mount.endpoint().options);
        let origins = options.iter().flat_map(|options| &options.allowed_origins);
        mistakes.extend(origins.filter(|origin| !is_origin(origin)).map(|origin| {
            format!(
                "{origin:?} in `allowed_origins` is no origin: write one like https://example.com"
            )
        }));
        mistakes
    }
}
