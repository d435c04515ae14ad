//! The names of packages.

/// The name of the package that a client becomes: lower-case letters, digits, `-` and `_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageName(String);

impl PackageName {
    /// Checks a name. One of npm may have a scope, as in `@shop/library`. Returns `None` if it is not valid.
    pub fn new(name: &str, is_of_npm: bool) -> Option<Self> {
        let (scope, own) = name
            .strip_prefix('@')
            .filter(|_| is_of_npm)
            .map_or(Some(("a", name)), |it| it.split_once('/'))?;
        let is_known = |it: char| matches!(it, 'a'..='z' | '0'..='9' | '-' | '_');
        let is_valid = |it: &str| {
            it.starts_with(|it: char| it.is_ascii_lowercase()) && it.chars().all(is_known)
        };
        let fits = is_valid(scope) && is_valid(own) && name.len() <= 64;
        fits.then(|| Self(name.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::PackageName;

    #[test]
    fn a_name_fits_its_language() {
        for (name, is_package, is_of_npm) in [
            ("library", true, true),
            ("library-client_2", true, true),
            ("@shop/library", false, true),
            ("@shop/", false, false),
            ("@/library", false, false),
            ("@library", false, false),
            ("a/b", false, false),
            ("", false, false),
            ("Library", false, false),
            ("2library", false, false),
            ("../library", false, false),
            ("a\"b", false, false),
            ("a\nb", false, false),
        ] {
            let found = [false, true].map(|it| PackageName::new(name, it).is_some());
            assert_eq!(found, [is_package, is_of_npm], "{name}");
        }
        assert!(PackageName::new(&"a".repeat(65), true).is_none());
    }
}
