//! The texts of authors about a value: titles, descriptions, and the meaning of null.
//!
//! They are only chosen here. They are Markdown, which `view/row` renders.

use docent_describe::schema::View;

use crate::text::adds_title;

/// A text by an author about a value.
#[derive(Clone, Copy)]
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) role: TextRole,
}

impl<'t> Text<'t> {
    fn new(text: &'t str, role: TextRole) -> Self {
        Self { text, role }
    }
}

/// The subject of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRole {
    Title,
    Description,
    /// The meaning of null.
    Null,
}

/// Returns all texts about a value but those of shared types, which are on the pages of those: titles, then `first` and
/// the other descriptions, then the meaning of null. A text is not repeated, and neither is the name, however it is
/// spelt.
pub(super) fn texts<'t>(view: &View<'t>, name: &str, first: Option<&'t str>) -> Vec<Text<'t>> {
    let mut titles: Vec<&str> = Vec::new();
    let mut descriptions: Vec<&str> = Vec::new();
    descriptions.extend(first.filter(|text| !text.trim().is_empty()));
    for node in view.own_nodes() {
        let description = node.annotations.description;
        if let Some(title) = node.annotations.title
            && !titles.contains(&title)
            && adds_title(title, name, descriptions.iter().copied().chain(description))
        {
            titles.push(title);
        }
        descriptions.extend(description.filter(|text| !descriptions.contains(text)));
    }
    let mut texts = Vec::new();
    for title in titles {
        texts.push(Text::new(title, TextRole::Title));
    }
    for description in &descriptions {
        texts.push(Text::new(description, TextRole::Description));
    }
    for null in &view.nulls {
        for text in [null.annotations.title, null.annotations.description] {
            if let Some(text) = text.filter(|text| !descriptions.contains(text)) {
                texts.push(Text::new(text, TextRole::Null));
            }
        }
    }
    texts
}

/// Returns the texts about a shared type for its own page, which has its title and its description at the top.
pub(super) fn texts_of_type<'t>(view: &View<'t>, name: &str) -> Vec<Text<'t>> {
    let mut texts = texts(view, name, None);
    if let Some(own) = view.own_nodes().next() {
        let at_top = [own.annotations.title, own.annotations.description];
        texts.retain(|text| !at_top.contains(&Some(text.text)));
    }
    texts
}
