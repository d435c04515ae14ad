//! The names of packages, which go into manifests as they are. So anything but plain names is refused.

/// The maximum length of the name of a package.
const MAX_NAME_LENGTH: usize = 64;

/// The name of the package that a client becomes: lower-case letters, digits, `-` and `_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageName(String);

impl PackageName {
    /// Checks a name. One of npm may have a scope, as in `@shop/library`. Returns `None` if it is not valid.
    pub fn new(name: &str, is_of_npm: bool) -> Option<Self> {
        let is_valid = match name.strip_prefix('@') {
            Some(scoped) if is_of_npm => {
                let (scope, own) = scoped.split_once('/')?;
                is_plain_name(scope) && is_plain_name(own)
            }
            _ => is_plain_name(name),
        };
        (is_valid && name.len() <= MAX_NAME_LENGTH).then(|| Self(name.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns whether a name begins with a letter, and has only characters that all registries allow.
fn is_plain_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|character| matches!(character, 'a'..='z' | '0'..='9' | '-' | '_'))
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
            let found = [false, true].map(|is_npm| PackageName::new(name, is_npm).is_some());
            assert_eq!(found, [is_package, is_of_npm], "{name}");
        }
        assert!(PackageName::new(&"a".repeat(65), true).is_none());
    }
}
