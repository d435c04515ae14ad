//! The lines of a tree: rows, with small things put together.
//!
//! Rows come in ([`crate::schema::Row`]), and the two writers of `super` get one [`RowLine`] for each line that they
//! write. An alternative that is an object with one member is one line with that member. Each union has a rule before
//! its first alternative, behind the members that all of them have. What is short needs no fold.

use docent_describe::schema::{Label, Union};

use crate::schema::{Fact, Fold, Row, RowName, TypePhrase};

/// The maximum number of alternatives that are seen at once, without a list of them above or a fold.
pub(super) const MAX_UNLISTED_ALTERNATIVES: usize = 4;

/// A line of a tree.
pub(super) struct RowLine<'r, 't> {
    /// The row, or that of the only member of `alternative`.
    pub(super) row: &'r Row<'t>,
    /// The alternative that `row` is the only member of.
    pub(super) alternative: Option<&'r Row<'t>>,
    /// The number of lines that it is nested in.
    pub(super) depth: usize,
    /// The rule about the alternatives that begin with this line, behind others below the same row.
    pub(super) rule_before: Option<JoiningRule<'r, 't>>,
    /// The rule about the alternatives with which the lines below begin.
    pub(super) rule_below: Option<JoiningRule<'r, 't>>,
    pub(super) below: Below<'r, 't>,
    /// The number of lists that end after this line.
    pub(super) ends: usize,
}

/// The way in which the rows below a line are written.
pub(super) enum Below<'r, 't> {
    Nothing,
    /// Lines that are always visible.
    List,
    /// Lines in a fold.
    Fold(&'r Fold<'t>),
}

/// A rule about alternatives.
pub(super) struct JoiningRule<'r, 't> {
    pub(super) union: &'t Union<'t>,
    /// The rows of the alternatives.
    pub(super) alternatives: Vec<&'r Row<'t>>,
    /// The number of rows before them: of members that all of them have, and of other alternatives.
    pub(super) first: usize,
}

/// Returns the lines of rows. `head` is the row that they are below, if it has no line of its own.
pub(super) fn lines<'r, 't>(
    head: Option<&'r Row<'t>>,
    rows: &'r [Row<'t>],
) -> Vec<RowLine<'r, 't>> {
    let mut rules = rules(head, rows);
    let mut lines: Vec<RowLine<'_, '_>> = Vec::with_capacity(rows.len());
    // The depths of the alternatives that contain the next row and are one line with their member.
    let mut joined_depths: Vec<usize> = Vec::new();
    let mut index = 0;
    while let Some(row) = rows.get(index) {
        end_joined(&mut joined_depths, row.depth, &mut lines);
        let member = only_member(row, &rows[index + 1..]);
        let written_row = member.unwrap_or(row);
        let last_index = index + usize::from(member.is_some());
        lines.push(RowLine {
            row: written_row,
            alternative: member.map(|_| row),
            depth: row.depth - joined_depths.len(),
            rule_before: rules.before[index].take(),
            rule_below: rules.below[last_index].take(),
            below: written_row
                .fold
                .as_ref()
                .map_or(Below::Nothing, Below::Fold),
            ends: written_row.ends,
        });
        if member.is_some() {
            joined_depths.push(row.depth);
        }
        index = last_index + 1;
    }
    end_joined(&mut joined_depths, 0, &mut lines);
    unfold_short(&mut lines);
    lines
}

/// Ends the joined alternatives that do not contain a row at this depth. The list that each would have had ends with
/// the last line so far.
fn end_joined(joined_depths: &mut Vec<usize>, depth: usize, lines: &mut [RowLine<'_, '_>]) {
    while joined_depths.pop_if(|outer| *outer >= depth).is_some() {
        if let Some(last) = lines.last_mut() {
            last.ends -= 1;
        }
    }
}

/// The rules about alternatives, by the index of the row that they are written with.
struct Rules<'r, 't> {
    /// Rules before a row, which is the first alternative.
    before: Vec<Option<JoiningRule<'r, 't>>>,
    /// Rules of a row that has alternatives right below it, before any members.
    below: Vec<Option<JoiningRule<'r, 't>>>,
}

/// Finds the rules about the alternatives in rows.
fn rules<'r, 't>(head: Option<&'r Row<'t>>, rows: &'r [Row<'t>]) -> Rules<'r, 't> {
    let mut rules = Rules {
        before: rows.iter().map(|_| None).collect(),
        below: rows.iter().map(|_| None).collect(),
    };
    if let Some(head) = head {
        for rule in rules_of(head, rows, 0) {
            let first = rule.first;
            rules.before[first] = Some(rule);
        }
    }
    for (index, row) in rows.iter().enumerate() {
        for rule in rules_of(row, &rows[index + 1..], row.depth + 1) {
            if rule.first == 0 {
                rules.below[index] = Some(rule);
            } else {
                let first_alternative = index + 1 + rule.first;
                rules.before[first_alternative] = Some(rule);
            }
        }
    }
    rules
}

/// Returns the rules about the alternatives of a row, which are at this depth among the rows below it.
fn rules_of<'r, 't>(row: &Row<'t>, below: &'r [Row<'t>], depth: usize) -> Vec<JoiningRule<'r, 't>> {
    let mut alternatives = below
        .iter()
        .take_while(|row| row.depth >= depth)
        .enumerate()
        .filter(|(_, row)| row.depth == depth && row.name.is_alternative());
    let mut rules = Vec::new();
    for note in &row.unions {
        let own: Vec<_> = alternatives.by_ref().take(note.labels.len()).collect();
        // A page that is full may have none of them.
        if let Some((first, _)) = own.first() {
            rules.push(JoiningRule {
                union: note.union,
                first: *first,
                alternatives: own.iter().map(|(_, row)| *row).collect(),
            });
        }
    }
    rules
}

/// Returns the only member of an alternative that says nothing but that it has this member.
fn only_member<'r, 't>(row: &Row<'t>, below: &'r [Row<'t>]) -> Option<&'r Row<'t>> {
    let fold = row.fold.as_ref()?;
    let member = below.first()?;
    let RowName::Property(name) = member.name else {
        return None;
    };
    let says_its_name = match &row.name {
        RowName::Alternative(Label::With(names)) => *names == [name],
        RowName::Alternative(Label::Values(_)) => {
            matches!(member.type_phrase, TypePhrase::Value(_))
        }
        // An object without other members is without those that others have.
        RowName::Alternative(Label::Without(_)) => !row.facts.is_empty(),
        _ => false,
    };
    let has_one_member =
        fold.members == 1 && fold.elements == 0 && fold.alternatives == 0 && fold.conditions == 0;
    let is_bare_object = matches!(row.type_phrase, TypePhrase::Basic("object", None))
        && row
            .facts
            .iter()
            .all(|fact| *fact == Fact::Phrase("fact.closed"))
        && row.default.is_none()
        && row.values.is_empty()
        && row.cut.is_none()
        && !row.is_deprecated;
    let is_bare_member = member.is_required
        && member.default.is_none()
        && member.aliases.is_empty()
        && !member.is_deprecated;
    (says_its_name && has_one_member && is_bare_object && is_bare_member).then_some(member)
}

/// Makes folds with little in them lists: the row about each element, and a few alternatives of one line.
fn unfold_short(lines: &mut [RowLine<'_, '_>]) {
    for index in 0..lines.len() {
        let Below::Fold(fold) = lines[index].below else {
            continue;
        };
        let has_few_alternatives_only = fold.members + fold.elements + fold.conditions == 0
            && fold.alternatives <= MAX_UNLISTED_ALTERNATIVES;
        if fold.only.is_some() || has_few_alternatives_only && are_joined_below(lines, index) {
            lines[index].below = Below::List;
        }
    }
}

/// Returns whether each line directly below this one is an alternative with its only member.
fn are_joined_below(lines: &[RowLine<'_, '_>], index: usize) -> bool {
    let depth = lines[index].depth;
    lines[index + 1..]
        .iter()
        .take_while(|line| line.depth > depth)
        .filter(|line| line.depth == depth + 1)
        .all(|line| line.alternative.is_some())
}
