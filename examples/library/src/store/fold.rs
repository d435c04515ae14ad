//! Folds texts so that they can be compared.
//!
//! A reader who types `misere` should find *Les Misérables*, and one who types `soren` should find
//! Søren. Stored texts and search terms are folded in the same way, so folding alone decides what
//! counts as equal. Case, accents and letter forms do not matter.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Folds case and accents, and replaces every run of blanks with one.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.to_lowercase().nfkd().filter(|c| !is_accent(*c)) {
        match c {
            // Letters that Unicode does not decompose, as people type them without the key.
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            // The form of sigma depends on whether it ends a word, and a prefix has no end.
            'ς' => folded.push('σ'),
            '’' | 'ʼ' => folded.push('\''),
            c if c.is_whitespace() || c.is_control() => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            c => folded.push(c),
        }
    }
    folded.truncate(folded.trim_end().len());
    // Recompose what was decomposed but is not an accent: a voiced kana is one letter.
    folded.nfc().collect()
}

/// Returns whether a mark is an accent of Latin, Greek or Cyrillic. In other scripts, marks are
/// letters.
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Folds a title and removes its leading article.
pub(super) fn filing_title(title: &str, language: &str) -> String {
    let folded = fold(title);
    let rest = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    let article = articles(language)
        .iter()
        .find_map(|article| rest.strip_prefix(article))
        .filter(|rest| rest.starts_with(char::is_alphanumeric));
    match article.unwrap_or(rest) {
        // A title that consists only of signs is filed under them.
        "" => folded,
        filed => filed.to_owned(),
    }
}

/// Returns the folded articles that titles in a language may start with.
fn articles(language: &str) -> &'static [&'static str] {
    match language {
        "en" => &["the ", "an ", "a "],
        "fr" => &["les ", "le ", "la ", "l'", "une ", "un "],
        "de" => &["der ", "die ", "das ", "eine ", "ein "],
        "it" => &[
            "il ", "lo ", "la ", "gli ", "i ", "le ", "l'", "una ", "uno ", "un ",
        ],
        "es" => &["los ", "las ", "el ", "la ", "una ", "un "],
        "pt" => &["os ", "as ", "o ", "a ", "uma ", "um "],
        "nl" => &["de ", "het ", "een "],
        "hu" => &["az ", "a "],
        _ => &[],
    }
}

/// Returns the folded words of a search: runs of letters and digits, separated by everything else.
///
/// A word contains no quotation mark, no operator and no NUL, so whatever a user types is only
/// words to the full-text index.
pub(super) fn words(text: &str) -> Vec<String> {
    fold(text)
        .split(|c: char| !c.is_alphanumeric() && !is_combining_mark(c))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{filing_title, fold, words};

    #[test]
    fn folding_forgets_case_accents_and_the_forms_of_letters() {
        for (text, folded) in [
            ("Les  Misérables ", "les miserables"),
            ("STRASSE Straße", "strasse strasse"),
            ("Œuvre Ægir Łódź Søren Đỗ", "oeuvre aegir lodz soren do"),
            ("Мёртвые", "мертвые"),
            ("Οἰδίπους ΤΥΡΑΝΝΟΣ", "οιδιπουσ τυραννοσ"),
            ("İstanbul ısı", "istanbul isi"),
            ("がぎ", "がぎ"),
            ("ﬁn Ｗｉｄｅ", "fin wide"),
            ("\u{0}\u{7}", ""),
            ("a\u{0}b", "a b"),
        ] {
            assert_eq!(fold(text), folded);
            assert_eq!(fold(&fold(text)), folded, "folding again changes nothing");
        }
    }

    #[test]
    fn titles_are_filed_without_the_articles_of_their_own_language() {
        for (title, language, filed) in [
            ("The Wings of the Dove", "en", "wings of the dove"),
            ("L’Œuvre", "fr", "oeuvre"),
            ("Die Räuber", "de", "rauber"),
            ("Die Hard", "en", "die hard"),
            ("À rebours", "fr", "a rebours"),
            ("«Le Cid»", "fr", "cid»"),
            ("The", "en", "the"),
            ("A", "en", "a"),
            ("???", "en", "???"),
        ] {
            assert_eq!(filing_title(title, language), filed);
        }
    }

    #[test]
    fn words_are_letters_marks_and_digits() {
        assert_eq!(
            words("L'Œuvre: R.U.R. 1984"),
            ["l", "oeuvre", "r", "u", "r", "1984"]
        );
        assert_eq!(words("\"a\" OR b*"), ["a", "or", "b"]);
        assert_eq!(words("महाभारतम्"), ["महाभारतम्"]);
        assert!(words("\u{20d0}\" -- 🐳").is_empty());
    }
}
