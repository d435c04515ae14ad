//! Items of two descriptions in pairs.

/// An item in the old description and in the new one.
pub(super) type Both<'j, T> = (&'j T, &'j T);

/// Pairs old and new items: first those for which `corresponds` says so on the first attempt (0),
/// then those of the second, and so on. Returns the indexes, first of old items alone, and then of
/// all new items.
pub(super) fn paired<T>(
    old: &[T],
    new: &[T],
    attempts: usize,
    mut corresponds: impl FnMut(usize, &T, &T) -> bool,
) -> Vec<(Option<usize>, Option<usize>)> {
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    for attempt in 0..attempts {
        for (before, one) in old.iter().enumerate() {
            if partners.contains(&Some(before)) {
                continue;
            }
            let mut free = (0..new.len()).filter(|after| partners[*after].is_none());
            if let Some(after) = free.find(|after| corresponds(attempt, one, &new[*after])) {
                partners[after] = Some(before);
            }
        }
    }
    let gone = (0..old.len()).filter(|before| !partners.contains(&Some(*before)));
    let kept = partners.iter().enumerate();
    gone.map(|before| (Some(before), None))
        .chain(kept.map(|(after, before)| (*before, Some(after))))
        .collect()
}
