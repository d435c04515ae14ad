//! The command line as far as the cursor, read as a shell would read it, without expanding anything.

/// The words before the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The words before the one at the cursor, without quotation marks.
    pub(super) before: Vec<String>,
    /// The word at the cursor, as far as the cursor, as it means.
    pub(super) current: String,
    /// The same, as it is written.
    written: String,
}

impl Line {
    /// Reads a line of bash. Returns `None` if the cursor is inside quotation marks.
    pub(super) fn of_bash(text: &str) -> Option<Self> {
        let mut line = Self::default();
        let mut is_word = false;
        let mut quote = None;
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            let is_blank = quote.is_none() && character.is_whitespace();
            if is_blank || quote.is_none() && ";|&()".contains(character) {
                if is_word {
                    line.before.push(std::mem::take(&mut line.current));
                    line.written.clear();
                    is_word = false;
                }
                if !is_blank {
                    // Another command begins.
                    line.before.clear();
                }
                continue;
            }
            is_word = true;
            line.written.push(character);
            match (quote, character) {
                (Some(open), character) if open == character => quote = None,
                (None, '\'' | '"') => quote = Some(character),
                (None | Some('"'), '\\') => {
                    if let Some(escaped) = characters.next() {
                        line.written.push(escaped);
                        line.current.push(escaped);
                    }
                }
                (_, character) => line.current.push(character),
            }
        }
        // What stands before the command: assignments, `sudo`, `time`.
        let is_docent = |word: &String| word.rsplit('/').next() == Some("docent");
        let command = line.before.iter().position(is_docent)?;
        line.before.drain(..command);
        let is_plain = quote.is_none() && !line.written.contains(['\'', '"', '$', '`']);
        let is_escaped = line.written.contains('\\');
        (is_plain || quote.is_none() && is_escaped && !line.written.contains(['\'', '"']))
            .then_some(line)
    }

    /// Takes the words as the shell has read them; the last is the one at the cursor.
    pub(super) fn of_words(words: &[String]) -> Self {
        let (current, before) = match words {
            [before @ .., current] => (current.clone(), before.to_vec()),
            [] => (String::new(), Vec::new()),
        };
        Self {
            before,
            written: current.clone(),
            current,
        }
    }

    /// Returns what bash inserts for a word, if the word begins with what is written: the part after
    /// the last character at which bash breaks words.
    pub(super) fn rest_of<'w>(&self, escaped: &'w str, breaks: &str) -> Option<&'w str> {
        escaped.strip_prefix(self.written.as_str())?;
        let mut start = 0;
        let mut is_escaped = false;
        for (at, character) in self.written.char_indices() {
            if !is_escaped && breaks.contains(character) {
                start = at + character.len_utf8();
            }
            is_escaped = character == '\\' && !is_escaped;
        }
        escaped.get(start..)
    }
}

/// Writes a word so that bash takes every character as it is.
pub(super) fn escape(word: &str) -> String {
    let mut escaped = String::with_capacity(word.len());
    for character in word.chars() {
        let is_plain = character.is_alphanumeric() || "_-.,/:=@%+".contains(character);
        if !is_plain {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Option<(Vec<String>, String)> {
        Line::of_bash(text).map(|line| (line.before, line.current))
    }

    #[test]
    fn a_line_is_read_as_bash_reads_it() {
        let words = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        for (text, before, current) in [
            ("docent ca", &["docent"][..], "ca"),
            ("docent call ", &["docent", "call"], ""),
            (
                "X=1 /usr/bin/docent call 'a b' c\\ d\"e\" f",
                &["/usr/bin/docent", "call", "a b", "c de"],
                "f",
            ),
            ("true; docent x | docent list ", &["docent", "list"], ""),
            ("docent \\$\\(a", &["docent"], "$(a"),
        ] {
            assert_eq!(
                line(text),
                Some((words(before), current.to_owned())),
                "{text}"
            );
        }
        for text in ["docent 'a", "docent \"a", "docent $a", "docent 'a'", "ls "] {
            assert_eq!(line(text), None, "{text}");
        }
    }

    #[test]
    fn bash_gets_the_part_of_a_word_that_it_is_completing() {
        let rest = |text: &str, word: &str| {
            let line = Line::of_bash(text).expect("a line");
            line.rest_of(word, " \t\n\"'@><=;|&(:").map(str::to_owned)
        };
        assert_eq!(rest("docent call", "call").as_deref(), Some("call"));
        assert_eq!(rest("docent sort=", "sort=up").as_deref(), Some("up"));
        assert_eq!(rest("docent a:b", "a:bc").as_deref(), Some("bc"));
        assert_eq!(rest("docent a\\(b", "a\\(bc").as_deref(), Some("a\\(bc"));
        assert_eq!(rest("docent x", "y"), None);
    }

    #[test]
    fn nothing_in_a_word_means_anything_to_the_shell() {
        assert_eq!(escape("book.find=a:b"), "book.find=a:b");
        assert_eq!(
            escape("$(touch x)`y`'\"~#!{}[]*?"),
            "\\$\\(touch\\ x\\)\\`y\\`\\'\\\"\\~\\#\\!\\{\\}\\[\\]\\*\\?"
        );
    }
}
