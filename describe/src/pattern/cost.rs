//! The work of matching.
//!
//! Matching visits each byte of a text once, in as many states of the compiled pattern as the text may
//! have led to. For nearly all patterns, all combinations of states that any text leads to fit into a
//! small table, and a byte costs one look-up. If there are too many combinations, as for
//! `a[ab]{800}c`, each byte can cost as many steps as the pattern has states: linear, but not fast.

use std::collections::HashSet;
use std::sync::OnceLock;

use regex_automata::hybrid::dfa::DFA;
use regex_automata::nfa::thompson::{Compiler, Config, NFA, WhichCaptures};
use regex_automata::util::alphabet::Unit;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::{Hir, Look};

/// The maximum number of steps for matching a text: the states of a pattern times the bytes of the text. At
/// about 20 ns each, they take about 0.7 s.
const MAX_MATCH_STEPS: usize = 33_554_432;

/// The maximum number of combinations of states that count as a small table.
const MAX_TABLE_ROWS: usize = 2_000;

/// The maximum number of states of a pattern for which a table is tried.
const MAX_TABLE_STATES: usize = 10_000;

/// The work of matching texts against a pattern.
#[derive(Debug)]
pub(super) struct MatchCost {
    hir: Hir,
    /// The number of states of the compiled pattern.
    states: usize,
    /// The length of the longest text, in bytes, that surely takes no more steps than the maximum.
    sure_bytes: usize,
    /// Set if all combinations of states fit into a small table. Found out for the first long text.
    fits_table: OnceLock<bool>,
}

impl MatchCost {
    /// Measures a pattern. Returns `None` if it takes more memory than `largest`.
    pub(super) fn new(hir: &Hir, largest: usize) -> Option<Self> {
        let states = compile(hir, false, largest)?.states().len();
        Some(Self {
            hir: hir.clone(),
            states,
            sure_bytes: MAX_MATCH_STEPS / states.max(1),
            fits_table: OnceLock::new(),
        })
    }

    /// Returns the length of the longest text, in bytes, that surely takes no more steps than the
    /// maximum.
    pub(super) fn sure_bytes(&self) -> usize {
        self.sure_bytes
    }

    /// Returns whether a text of this many bytes takes at most [`MAX_MATCH_STEPS`].
    #[inline]
    pub(super) fn allows(&self, bytes: usize) -> bool {
        bytes <= self.sure_bytes || self.ends_early() || self.fits_table()
    }

    /// Returns whether a match begins with the text and is short, so that the rest of the text is not
    /// read.
    fn ends_early(&self) -> bool {
        let longest = self.hir.properties().maximum_len();
        self.begins_with_text() && longest.is_some_and(|longest| longest < self.sure_bytes)
    }

    /// Returns whether every match begins where the text begins.
    fn begins_with_text(&self) -> bool {
        self.hir
            .properties()
            .look_set_prefix()
            .contains(Look::Start)
    }

    /// Returns whether all combinations of states fit into a small table.
    fn fits_table(&self) -> bool {
        *self.fits_table.get_or_init(|| {
            // Unless a match begins with the text, the engine may also read backwards, from the end or
            // from a literal that every match has.
            self.states <= MAX_TABLE_STATES
                && self.table_rows(false).is_some()
                && (self.begins_with_text() || self.table_rows(true).is_some())
        })
    }

    /// Returns the number of combinations of states that texts can lead to, unless there are too
    /// many.
    fn table_rows(&self, backwards: bool) -> Option<usize> {
        let nfa = compile(&self.hir, backwards, usize::MAX)?;
        let kind = if backwards {
            MatchKind::All
        } else {
            MatchKind::LeftmostFirst
        };
        let dfa = DFA::builder()
            .configure(DFA::config().match_kind(kind))
            .build_from_nfa(nfa)
            .ok()?;
        let mut cache = dfa.create_cache();
        let start = if backwards {
            let end = Input::new("").anchored(Anchored::Yes);
            dfa.start_state_reverse(&mut cache, &end).ok()?
        } else {
            dfa.start_state_forward(&mut cache, &Input::new("")).ok()?
        };
        let bytes: Vec<u8> = dfa
            .byte_classes()
            .representatives(0..=u8::MAX)
            .filter_map(Unit::as_u8)
            .collect();
        let mut rows = HashSet::from([start]);
        let mut unread = vec![start];
        while let Some(row) = unread.pop() {
            for &byte in &bytes {
                let next = dfa.next_state(&mut cache, row, byte).ok()?;
                if rows.len() > MAX_TABLE_ROWS || cache.clear_count() > 0 {
                    return None;
                }
                if rows.insert(next) {
                    unread.push(next);
                }
            }
        }
        Some(rows.len())
    }
}

/// Compiles a pattern as the engine that matches it does.
fn compile(hir: &Hir, backwards: bool, largest: usize) -> Option<NFA> {
    Compiler::new()
        .configure(
            Config::new()
                .reverse(backwards)
                .which_captures(WhichCaptures::None)
                .nfa_size_limit(Some(largest)),
        )
        .build_from_hir(hir)
        .ok()
}
