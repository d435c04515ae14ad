//! Writes an object whose longest member is written item by item, so that the document of a large service is never in
//! memory as a whole.
//!
//! ```text
//! {"openrpc":"1.3.2", …,"methods":  write_begin: the members before the long one, and its name
//! [{"name":"a"},{"name":"b"}]       write_separated, in the brackets of the caller
//! ,"components":{…}}                write_end: the members behind it
//! ```

use std::fmt::{self, Display, Formatter};

use crate::json::{Json, Object};

/// Writes an object up to the value of the member `name`, which follows those of `head`. There is at least one of them.
pub(super) fn write_begin(f: &mut Formatter<'_>, head: Object, name: &str) -> fmt::Result {
    let text = Json::from(head).to_string();
    let open = text.strip_suffix('}').unwrap_or_default();
    write!(f, "{open},{}:", Json::from(name))
}

/// Writes items with commas between them.
pub(super) fn write_separated<T: Display>(
    f: &mut Formatter<'_>,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

/// Writes the members of `tail`, of which there is at least one, and the end of the object.
pub(super) fn write_end(f: &mut Formatter<'_>, tail: Object) -> fmt::Result {
    let text = Json::from(tail).to_string();
    write!(f, ",{}", text.strip_prefix('{').unwrap_or_default())
}
