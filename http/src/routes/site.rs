//! The reference site next to the services: one site at `/docs`, and links to it from each service.
//!
//! The pages are those of `docent-docs-gen`, served by [`docs`](crate::docs). Here they only get
//! their place on a host.

use std::io;

use docent_core::Service;
use docent_docs_gen::procedure_pages;
use url::Url;

use super::mount_path::MountPath;
use super::settings::Routes;
use crate::docs::Docs;

#[cfg(feature = "docs")]
impl Routes {
    /// Builds the site of these services, which are the same as those of the settings. One with a public URL and
    /// no help URL of its own gets one that points at its pages.
    pub(super) fn build_site(&self, services: &mut [(String, Service)]) -> io::Result<Docs> {
        // The site offers the descriptions for download, so it is built after their help URLs are
        // known.
        let pages = procedure_pages(services.iter().map(|(_, service)| service.description()));
        for ((path, service), pages) in services.iter_mut().zip(pages) {
            if service.description().help.is_none()
                && let Some(help) = address(service, path)
            {
                *service = service.with_help(&help, |procedure| pages.get(procedure).cloned());
            }
        }
        let Some(((path, service), others)) = services.split_first() else {
            let reason = "a server without services has no reference site";
            return Err(io::Error::other(reason));
        };
        let changes = self.site_changes.clone();
        let mut builder = Docs::builder("/docs", path, service)
            .listed()
            .customise(move |site| changes.iter().fold(site, |site, change| change(site)));
        if let Some(url) = address(service, path) {
            builder = builder.base_url(url);
        }
        for (path, service) in others {
            builder = builder.and(path, service);
        }
        for (path, service) in self.agents().iter().rev() {
            builder = builder.agents(*service, path.segments());
        }
        let docs = builder.build().map_err(|problems| {
            let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
            io::Error::other(texts.join("; "))
        })?;
        Ok(docs.options(self.effective_options()))
    }
}

/// Returns the absolute URL of the site, from that of a service at this path. It is never derived from a
/// request.
fn address(service: &Service, path: &str) -> Option<String> {
    let site = Url::parse(service.description().address.as_deref()?)
        .ok()?
        .join(&link(path))
        .ok()?;
    Some(site.into())
}

/// Returns the link to the site, relative to a mount.
pub(super) fn link(mount: &str) -> String {
    let depth = MountPath::new(mount).depth().saturating_sub(1);
    format!("{}docs/", "../".repeat(depth))
}
