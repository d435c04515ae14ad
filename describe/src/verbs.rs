//! Recognises procedures whose names say that calls change something.
//!
//! A check of a description warns of such a procedure if it claims to be idempotent. A name is a
//! hint and no proof, so nothing else depends on it.

/// The verbs of procedures that change something on the server.
const CHANGING_VERBS: [&str; 15] = [
    "add", "create", "delete", "remove", "set", "update", "put", "post", "write", "start", "stop",
    "send", "move", "reset", "cancel",
];
/// The characters between the parts of a name. The last part says what the procedure does.
const SEPARATORS: [char; 3] = ['.', '/', ':'];

/// Returns the verb with which the name of a procedure says that calls change something: the first word
/// of its last part, if it is one of `add`, `create`, `delete`, `remove`, `set`, `update`, `put`, `post`,
/// `write`, `start`, `stop`, `send`, `move`, `reset` and `cancel`.
///
/// Only whole words count. A procedure of such a name is rarely *safe*, which is what `idempotent` means.
///
/// ```
/// use docent_describe::changing_verb;
///
/// for name in ["member.remove", "removeMember", "remove_member", "remove-member"] {
///     assert_eq!(changing_verb(name), Some("remove"));
/// }
/// for name in ["settings.get", "startup", "add.list", "member"] {
///     assert_eq!(changing_verb(name), None);
/// }
/// ```
pub fn changing_verb(procedure: &str) -> Option<&'static str> {
    let last_part = procedure.rsplit(SEPARATORS).next()?;
    let first = name_words(last_part).first()?.to_ascii_lowercase();
    CHANGING_VERBS.into_iter().find(|verb| *verb == first)
}

/// Splits a name into words of ASCII letters and digits: `getBook_ByISBN` is `get`, `Book`, `By`,
/// `ISBN`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = ' ';
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if character.is_ascii_alphanumeric() {
            // The last capital of several begins a word if a small letter follows: `ISBNList`.
            let begins_word = !previous.is_ascii_alphanumeric()
                || character.is_ascii_uppercase()
                    && (!previous.is_ascii_uppercase()
                        || characters.peek().is_some_and(char::is_ascii_lowercase));
            match words.last_mut() {
                Some(word) if !begins_word => word.push(character),
                _ => words.push(character.to_string()),
            }
        }
        previous = character;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{changing_verb, name_words};

    #[test]
    fn a_name_is_split_where_a_word_begins() {
        assert_eq!(name_words("getBook_ByISBN"), ["get", "Book", "By", "ISBN"]);
    }

    #[test]
    fn the_first_word_of_the_last_part_says_that_something_changes() {
        for (name, verb) in [
            ("member.remove", "remove"),
            ("removeMember", "remove"),
            ("RemoveMember", "remove"),
            ("remove_member", "remove"),
            ("remove-member", "remove"),
            ("REMOVE_MEMBER", "remove"),
            ("library/member/remove", "remove"),
            ("library:member.removeAll", "remove"),
            ("DELETEMember", "delete"),
            ("add", "add"),
            ("reset_count", "reset"),
            ("setID", "set"),
        ] {
            assert_eq!(changing_verb(name), Some(verb), "{name}");
        }
    }

    #[test]
    fn only_whole_words_count_and_only_the_first() {
        for name in [
            "settings.get",
            "set.list",
            "startup",
            "additive",
            "address",
            "updates",
            "posts",
            "writer",
            "sender.find",
            "cancelled",
            "movements",
            "member_remove",
            "canDelete",
            "Setter",
            "",
            ".",
            "add.",
            "\u{e4}ndern",
        ] {
            assert_eq!(changing_verb(name), None, "{name}");
        }
    }
}
