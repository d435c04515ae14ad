//! Writes [`Json`] as text.

use std::fmt;
use std::io;

use serde::ser::{Error, Serialize, Serializer};
use serde_json::value::RawValue;

use super::Json;

impl Serialize for Json {
    /// Serialises the value. Numbers keep their text if the serializer is `serde_json`'s.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => RawValue::from_string(text.to_string())
                .map_err(S::Error::custom)?
                .serialize(serializer),
            Self::String(text) => serializer.serialize_str(text),
            Self::Array(elements) => serializer.collect_seq(elements),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (&**name, value)))
            }
        }
    }
}

impl fmt::Display for Json {
    /// Writes the value as JSON text on one line, or with `{:#}` indented by two spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = if f.alternate() {
            Layout::Indented
        } else {
            Layout::Line
        };
        let mut writer = Writer::new(Adapter(f), layout);
        writer.value(self).map_err(|_| fmt::Error)
    }
}

/// Passes text to a formatter.
struct Adapter<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl io::Write for Adapter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The layout of JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// On one line.
    Line,
    /// Indented by two spaces.
    Indented,
}

/// Writes JSON part by part, so that a large document need not be in memory as a whole.
pub(crate) struct Writer<W> {
    out: W,
    layout: Layout,
    depth: usize,
}

impl<W: io::Write> Writer<W> {
    pub(crate) fn new(out: W, layout: Layout) -> Self {
        Self {
            out,
            layout,
            depth: 0,
        }
    }

    /// Writes a value.
    pub(crate) fn value(&mut self, value: &Json) -> io::Result<()> {
        match value {
            Json::Null => self.text("null"),
            Json::Bool(true) => self.text("true"),
            Json::Bool(false) => self.text("false"),
            Json::Number(text) => self.text(text),
            Json::String(text) => self.string(text),
            Json::Array(elements) => self.array(elements, Self::value),
            Json::Object(members) => self.object(members, |this, (name, value)| {
                this.name(name)?;
                this.value(value)
            }),
        }
    }

    /// Writes an array, with `write` for each element.
    pub(crate) fn array<T>(
        &mut self,
        elements: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.container(["[", "]"], elements, write)
    }

    /// Writes an object, with `write` for each member. It begins with the member's
    /// [name](Self::name).
    pub(crate) fn object<T>(
        &mut self,
        members: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.container(["{", "}"], members, write)
    }

    fn container<T>(
        &mut self,
        [open, close]: [&str; 2],
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> io::Result<()>,
    ) -> io::Result<()> {
        self.text(open)?;
        self.depth += 1;
        let mut is_empty = true;
        for item in items {
            if !is_empty {
                self.text(",")?;
            }
            is_empty = false;
            self.line()?;
            write(self, item)?;
        }
        self.depth -= 1;
        if !is_empty {
            self.line()?;
        }
        self.text(close)
    }

    /// Writes the name of a member.
    pub(crate) fn name(&mut self, name: &str) -> io::Result<()> {
        self.string(name)?;
        self.text(match self.layout {
            Layout::Line => ":",
            Layout::Indented => ": ",
        })
    }

    /// Writes a string.
    pub(crate) fn string(&mut self, text: &str) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, text).map_err(io::Error::from)
    }

    fn line(&mut self) -> io::Result<()> {
        if self.layout == Layout::Indented {
            self.text("\n")?;
            for _ in 0..self.depth {
                self.text("  ")?;
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }
}
