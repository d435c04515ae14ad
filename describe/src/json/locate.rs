//! Finds the value at a byte offset.
//!
//! Decoding knows only the offset at which it failed. The pointer is found afterwards, by walking
//! over the text once more, because hardly any call needs it.

use super::cursor::Cursor;
use super::pointer::Pointer;
use super::string::unescape_lossy;

/// The maximum length of a pointer in a response.
const MAX_POINTER_LENGTH: usize = 1024;

/// One step from a container to a value in it.
enum Step<'t> {
    Element(usize),
    /// The text of a member's name, once it has been read.
    Member(Option<&'t str>),
}

/// Returns the pointer from the value at a cursor to the value, or the member's name, at `target`.
///
/// Reads the text once, however deep the target is. If names would make a pointer too long, it ends
/// at a value that contains the target.
pub fn pointer_to(mut cursor: Cursor<'_>, target: usize) -> Pointer {
    let mut steps = Vec::new();
    loop {
        let next = cursor.next_token();
        if next == 0 || cursor.offset() >= target && !matches!(next, b',' | b':' | b'"') {
            break;
        }
        match next {
            b'[' => steps.push(Step::Element(0)),
            b'{' => steps.push(Step::Member(None)),
            b']' | b'}' => _ = steps.pop(),
            b',' => match steps.last_mut() {
                Some(Step::Element(index)) => *index += 1,
                Some(Step::Member(name)) => *name = None,
                None => break,
            },
            b':' => {}
            _ => {
                let is_target = cursor.offset() >= target;
                let token = cursor.value();
                if let Some(Step::Member(name @ None)) = steps.last_mut() {
                    *name = Some(token);
                }
                if is_target || target < cursor.offset() {
                    break;
                }
                continue;
            }
        }
        cursor.step();
    }
    let mut pointer = Pointer::root();
    for step in steps {
        match step {
            Step::Element(index) => pointer.push(index),
            Step::Member(Some(name))
                if pointer.as_str().len() + name.len() <= MAX_POINTER_LENGTH =>
            {
                pointer.push(unescape_lossy(name));
            }
            Step::Member(_) => break,
        }
    }
    pointer
}
