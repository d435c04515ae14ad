//! What somebody may have meant who made a typo.

/// Returns the names that differ from what was typed by at most so many typos, in their order. Case
/// does not count.
pub(crate) fn similar<'n, N>(typed: &str, names: N, typos: usize) -> impl Iterator<Item = &'n str>
where
    N: IntoIterator<Item = &'n str>,
{
    let typed = typed.to_lowercase();
    names
        .into_iter()
        .filter(move |name| strsim::damerau_levenshtein(&name.to_lowercase(), &typed) <= typos)
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn names_with_few_typos_are_similar_in_any_case() {
        let names = ["book.get", "book.set", "Book.Gets", "loan.end"];
        let found = |typed, typos| similar(typed, names, typos).collect::<Vec<_>>();
        assert_eq!(found("book.get", 0), ["book.get"]);
        assert_eq!(found("BOOK.gte", 1), ["book.get"]);
        assert_eq!(found("book.get", 1), names[..3]);
        assert_eq!(found("end", 2), [""; 0]);
    }
}
