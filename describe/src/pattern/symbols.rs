//! The kinds of characters that a pattern distinguishes.
//!
//! `^[a-z]+@` distinguishes three: the letters from `a` to `z`, the `@`, and all others. An
//! automaton over these is far smaller than one over bytes: a class such as `\p{L}` takes hundreds
//! of states in UTF-8 and one here.

use std::collections::{BTreeSet, HashMap};

use regex_syntax::hir::ClassUnicode;

use super::ast::{Ast, WORD, class};

/// A kind of characters.
pub(super) type Symbol = u32;

/// Maps characters to symbols, which are numbered from zero.
#[derive(Debug)]
pub(super) struct Symbols {
    ascii: [Symbol; 128],
    /// Where each run of characters with one symbol begins, in order; the first is at zero.
    runs: Box<[(u32, Symbol)]>,
    /// Of each symbol, whether its characters are a word's. Where a pattern does not ask for the
    /// boundaries of words, a symbol may have characters of both kinds, and this is not read.
    in_word: Vec<bool>,
}

/// Sets of characters with the symbols of each.
pub(super) struct Sets(Vec<(ClassUnicode, Vec<Symbol>)>);

impl Sets {
    /// The symbols of a set, in order.
    pub(super) fn symbols(&self, set: &ClassUnicode) -> &[Symbol] {
        let known = self.0.iter().find(|(known, _)| known == set);
        known.map_or(&[], |(_, symbols)| symbols)
    }

    fn of(ast: &Ast) -> Self {
        let mut sets = Self(Vec::new());
        ast.each_class(&mut |set| sets.add(set));
        if ast.has_boundary() {
            sets.add(&class(&WORD));
        }
        sets
    }

    fn add(&mut self, set: &ClassUnicode) {
        if self.0.iter().all(|(known, _)| known != set) {
            self.0.push((set.clone(), Vec::new()));
        }
    }

    /// All code points in pieces, each with where it begins and the sets that hold it.
    fn pieces(&self) -> Vec<(u32, Vec<usize>)> {
        let mut edges: Vec<(u32, usize)> = Vec::new();
        for (index, (set, _)) in self.0.iter().enumerate() {
            for range in set.ranges() {
                edges.push((range.start().into(), index));
                edges.push((u32::from(range.end()) + 1, index));
            }
        }
        edges.sort_unstable();
        let mut holders = BTreeSet::new();
        let mut pieces = vec![(0, Vec::new())];
        for (at, set) in edges {
            if !holders.remove(&set) {
                holders.insert(set);
            }
            let piece = (at, holders.iter().copied().collect());
            match pieces.last_mut() {
                Some(last) if last.0 == at => *last = piece,
                _ => pieces.push(piece),
            }
        }
        pieces
    }
}

impl Symbols {
    /// The symbols that a pattern needs.
    pub(super) fn new(ast: &Ast) -> (Self, Sets) {
        let mut sets = Sets::of(ast);
        let mut known: HashMap<Vec<usize>, Symbol> = HashMap::new();
        let mut runs: Vec<(u32, Symbol)> = Vec::new();
        let mut in_word = Vec::new();
        for (start, holders) in sets.pieces() {
            let next = Symbol::try_from(known.len()).unwrap_or(Symbol::MAX);
            let symbol = *known.entry(holders).or_insert_with_key(|holders| {
                for &holder in holders {
                    sets.0[holder].1.push(next);
                }
                in_word.push(
                    WORD.iter()
                        .any(|&(first, last)| (first..=last).contains(&start)),
                );
                next
            });
            runs.push((start, symbol));
        }
        runs.dedup_by_key(|(_, symbol)| *symbol);
        let mut symbols = Self {
            ascii: [0; 128],
            runs: runs.into(),
            in_word,
        };
        for code in 0u8..128 {
            symbols.ascii[usize::from(code)] = symbols.search(code.into());
        }
        (symbols, sets)
    }

    /// How many symbols there are.
    pub(super) fn count(&self) -> usize {
        self.in_word.len()
    }

    /// Whether the characters of a symbol are a word's.
    pub(super) fn in_word(&self, symbol: Symbol) -> bool {
        usize::try_from(symbol).is_ok_and(|at| self.in_word.get(at) == Some(&true))
    }

    /// The symbol of a character.
    #[inline]
    pub(super) fn of(&self, character: char) -> Symbol {
        let code = u32::from(character);
        let ascii = usize::try_from(code).ok().and_then(|at| self.ascii.get(at));
        ascii.copied().unwrap_or_else(|| self.search(code))
    }

    fn search(&self, code: u32) -> Symbol {
        let next = self.runs.partition_point(|(start, _)| *start <= code);
        self.runs[next.saturating_sub(1)].1
    }
}
