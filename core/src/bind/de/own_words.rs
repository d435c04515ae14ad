//! What a type calls its expectation.

use std::fmt::{self, Write as _};

use serde::de::Expected;

/// A text that is mostly a name such as `u32`, and takes no memory of its own while it is short.
#[derive(Debug)]
pub(crate) struct OwnWords(Text);

#[derive(Debug)]
enum Text {
    Short(usize, [u8; SHORT]),
    Long(String),
}

const SHORT: usize = 24;

impl OwnWords {
    /// Writes down what is expected.
    pub(crate) fn of(expected: &dyn Expected) -> Self {
        let mut words = Self(Text::Short(0, [0; SHORT]));
        // A type whose words cannot be written has those that have been.
        let _ = write!(words, "{expected}");
        words
    }

    pub(crate) fn as_str(&self) -> &str {
        match &self.0 {
            Text::Short(length, bytes) => bytes
                .get(..*length)
                .and_then(|bytes| std::str::from_utf8(bytes).ok())
                .unwrap_or_default(),
            Text::Long(text) => text,
        }
    }
}

impl fmt::Write for OwnWords {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        match &mut self.0 {
            Text::Short(length, bytes) => {
                let end = *length + more.len();
                match bytes.get_mut(*length..end) {
                    Some(room) => {
                        room.copy_from_slice(more.as_bytes());
                        *length = end;
                    }
                    None => self.0 = Text::Long([self.as_str(), more].concat()),
                }
            }
            Text::Long(text) => text.push_str(more),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use serde::de::Expected;

    use super::OwnWords;

    #[test]
    fn words_of_every_length_are_kept() {
        for length in [0, 1, 23, 24, 25, 100] {
            let text = "a".repeat(length % 2) + &"ä".repeat(length / 2);
            assert_eq!(OwnWords::of(&text.as_str()).as_str(), text);
        }
    }

    /// Is written in several parts.
    struct Parts(usize);

    impl Expected for Parts {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (0..self.0).try_for_each(|part| write!(f, "part {part}, "))
        }
    }

    #[test]
    fn words_in_parts_are_joined() {
        for parts in 0..9 {
            let texts: Vec<String> = (0..parts).map(|part| format!("part {part}, ")).collect();
            assert_eq!(OwnWords::of(&Parts(parts)).as_str(), texts.concat());
        }
    }
}
