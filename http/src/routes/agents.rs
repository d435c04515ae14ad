//! The addresses at which a host offers tools to agents.
//!
//! The service decides which procedures are tools. A host only decides where agents find them.

use super::mount_path::MountPath;
use super::settings::Routes;

/// The default path, for a host on which only one service has tools.
const DEFAULT_PATH: &str = "/mcp";

#[cfg(feature = "mcp")]
impl Routes {
    /// Offers the tools of the service at `mount` to agents at `path` instead of `/mcp`. If several services
    /// have tools, give each of them a path.
    ///
    /// ```
    /// # use docent::{Routes, Service};
    /// # fn routes(v1: Service, v2: Service) -> Routes {
    /// Routes::at("/rpc/v1", v1)
    ///     .mount("/rpc/v2", v2)
    ///     .mcp_at("/mcp/v1", "/rpc/v1")
    ///     .mcp_at("/mcp/v2", "/rpc/v2")
    /// # }
    /// ```
    pub fn mcp_at(mut self, path: impl Into<String>, mount: impl Into<String>) -> Self {
        let paths = self.mcp.get_or_insert_default();
        paths.push((path.into(), mount.into()));
        self
    }

    /// Offers no tools over HTTP.
    pub fn without_mcp(mut self) -> Self {
        if self.mcp.take().is_some_and(|paths| !paths.is_empty()) {
            self.idle
                .push("`without_mcp` takes back every `mcp_at` before it; remove one of them");
        }
        self
    }

    /// Returns the paths for tools, each with the position of its service.
    pub(super) fn agents(&self) -> Vec<(MountPath, usize)> {
        let mut agents = Vec::new();
        let Some(chosen) = &self.mcp else {
            return agents;
        };
        for (at, (mount, service)) in self.services.iter().enumerate() {
            if service.tools().next().is_none() {
                continue;
            }
            let mount = MountPath::new(mount);
            let mut own = chosen
                .iter()
                .filter(|(_, of)| MountPath::new(of).is_same_as(&mount))
                .peekable();
            if own.peek().is_none() {
                agents.push((MountPath::new(DEFAULT_PATH), at));
            }
            agents.extend(own.map(|(path, _)| (MountPath::new(path), at)));
        }
        agents
    }

    /// Returns what is wrong with the settings for tools, except for their paths.
    pub(super) fn mistakes_of_tools(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        let Some(chosen) = &self.mcp else {
            return mistakes;
        };
        for (path, mount) in chosen {
            let mount = MountPath::new(mount);
            let service = self
                .services
                .iter()
                .find(|(other, _)| MountPath::new(other).is_same_as(&mount));
            let reason = match service {
                None => "no service is mounted there",
                Some((_, other)) if other.tools().next().is_none() => "this service has no tools",
                Some(_) => continue,
            };
            let option = format!("`mcp_at(\"{path}\", \"{mount}\")`");
            mistakes.push(format!("{option}: {reason}"));
        }
        mistakes
    }
}
