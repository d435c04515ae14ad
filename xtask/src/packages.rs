//! Packages from npm and PyPI, in folders of their own below the target folder.
//!
//! Versions are exact, so that a task fails for our changes only.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{self, BoxError, target};
use crate::install::announce;

/// A set of packages, each in exactly one version. Its folder is named after all of them, so that a
/// changed version leads to a new installation.
pub(crate) struct Packages {
    pub(crate) name: &'static str,
    pub(crate) packages: &'static [&'static str],
}

impl Packages {
    /// Installs the packages from npm unless they are installed, and returns the folder.
    pub(crate) fn npm(&self) -> Result<PathBuf, BoxError> {
        self.install(|folder| {
            fs::write(folder.join("package.json"), "{\"private\":true}\n")?;
            let install = ["install", "--no-audit", "--no-fund", "--save-exact"];
            let mut npm = Command::new("npm");
            npm.current_dir(folder)
                .args(install)
                .arg("--loglevel=error");
            command::run(npm.args(self.packages))
        })
    }

    /// Installs the packages from PyPI unless they are installed, and returns the folder of a virtual
    /// environment.
    pub(crate) fn pypi(&self) -> Result<PathBuf, BoxError> {
        self.install(|folder| {
            command::run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
            // Install no dependencies by themselves: all of them are listed, so that none changes
            // unnoticed.
            let install = [
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
            ];
            let mut pip = Command::new(folder.join("bin/python"));
            command::run(pip.args(["-m", "pip"]).args(install).args(self.packages))
        })
    }

    fn install(
        &self,
        install: impl Fn(&PathBuf) -> Result<(), BoxError>,
    ) -> Result<PathBuf, BoxError> {
        let all = self.packages.join(" ");
        let folder = target().join("tools").join(self.name);
        let installed = folder.join("installed");
        // This file is written last, so that an interrupted installation is repeated.
        if fs::read_to_string(&installed).is_ok_and(|there| there == all) {
            return Ok(folder);
        }
        announce(&format!("{all} into {}", folder.display()))?;
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        install(&folder)?;
        fs::write(installed, all)?;
        Ok(folder)
    }
}
