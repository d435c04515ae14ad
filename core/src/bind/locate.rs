//! From a byte offset to the value at that offset.

use docent_describe::json::{Cursor, Pointer, unescape_lossy};

/// One step on the way from a container to what is in it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'t> {
    /// To an array's element.
    Element(usize),
    /// To an object's member; its name as it is written, quotation marks included.
    Member(&'t str),
    /// To an object's member, before its name has been read.
    Brace,
}

/// The way from the outermost value to what stands at an offset.
pub(super) struct Place<'t> {
    pub(super) steps: Vec<Step<'t>>,
    /// Whether it is a member's name that stands there.
    pub(super) is_name: bool,
}

/// Finds what stands at `target` in well-formed JSON text. One pass, however deep it lies.
pub(super) fn locate(text: &str, target: usize) -> Place<'_> {
    let mut cursor = Cursor::new(text);
    let mut steps = Vec::new();
    loop {
        let next = cursor.next_token();
        let at = cursor.offset();
        if at >= target && !matches!(next, b',' | b':') {
            break;
        }
        match next {
            b'[' => steps.push(Step::Element(0)),
            b'{' => steps.push(Step::Brace),
            b']' | b'}' => _ = steps.pop(),
            b',' => match steps.last_mut() {
                Some(Step::Element(index)) => *index += 1,
                Some(step) => *step = Step::Brace,
                None => break,
            },
            b':' => {}
            0 => break,
            _ => {
                let token = cursor.value();
                if next == b'"'
                    && let Some(step @ Step::Brace) = steps.last_mut()
                {
                    *step = Step::Member(token);
                    if target < cursor.offset() {
                        break;
                    }
                }
                continue;
            }
        }
        cursor.step();
    }
    finish(cursor, steps)
}

/// Where the target is a name, it has not been read yet: the place is the member that it names.
fn finish<'t>(mut cursor: Cursor<'t>, mut steps: Vec<Step<'t>>) -> Place<'t> {
    let mut is_name = false;
    if let Some(step @ Step::Brace) = steps.last_mut() {
        if cursor.peek() == b'"' {
            *step = Step::Member(cursor.value());
            is_name = true;
        } else {
            steps.pop();
        }
    }
    Place { steps, is_name }
}

/// How long a pointer may get that goes into an answer.
const LONGEST: usize = 1024;

/// The JSON Pointer for these steps. Where names make it too long, it ends early: at a value that
/// contains the one in question.
pub(super) fn pointer(steps: &[Step<'_>]) -> Pointer {
    let mut pointer = Pointer::root();
    for step in steps {
        match step {
            Step::Element(index) => pointer.push(index),
            Step::Member(name) => {
                if pointer.as_str().len() + name.len() > LONGEST {
                    break;
                }
                pointer.push(unescape_lossy(name));
            }
            Step::Brace => break,
        }
    }
    pointer
}
