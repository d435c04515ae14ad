//! What authors say of a value.

use docent_describe::schema::View;

/// A text by an author about a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) role: TextRole,
}

/// The subject of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRole {
    Title,
    Description,
    /// The meaning of null.
    Null,
}

/// Returns all texts about a value but those of shared types, which are on the pages of those: titles, then `first` and
/// the other descriptions, then what null means. A text is not repeated, and neither is the name.
pub(super) fn texts<'t>(view: &View<'t>, name: &str, first: Option<&'t str>) -> Vec<Text<'t>> {
    let mut texts = Texts {
        said: first.into_iter().collect(),
        titles: Vec::new(),
        descriptions: first.into_iter().collect(),
    };
    for node in view.own_nodes() {
        texts.add(node.annotations.title, node.annotations.description, name);
    }
    texts.finish(view)
}

/// Returns the texts about a shared type for its own page, on which its title and its description are shown already.
pub(super) fn texts_of_type<'t>(view: &View<'t>, name: &str) -> Vec<Text<'t>> {
    let mut nodes = view.own_nodes();
    let own = nodes.next().map(|node| &node.annotations);
    let mut texts = Texts {
        said: own
            .into_iter()
            .flat_map(|own| [own.title, own.description])
            .flatten()
            .collect(),
        titles: Vec::new(),
        descriptions: Vec::new(),
    };
    for node in nodes {
        texts.add(node.annotations.title, node.annotations.description, name);
    }
    texts.finish(view)
}

struct Texts<'t> {
    said: Vec<&'t str>,
    titles: Vec<&'t str>,
    descriptions: Vec<&'t str>,
}

impl<'t> Texts<'t> {
    fn add(&mut self, title: Option<&'t str>, description: Option<&'t str>, name: &str) {
        if let Some(title) = title
            && title != name
            && !self.titles.contains(&title)
            && !self
                .said
                .iter()
                .chain(&description)
                .any(|said| said.starts_with(title))
        {
            self.titles.push(title);
        }
        if let Some(description) = description
            && !self.said.contains(&description)
        {
            self.descriptions.push(description);
            self.said.push(description);
        }
    }

    fn finish(self, view: &View<'t>) -> Vec<Text<'t>> {
        let of_null = view
            .nulls
            .iter()
            .flat_map(|null| {
                let annotations = &null.annotations;
                [annotations.title, annotations.description]
                    .into_iter()
                    .flatten()
            })
            .filter(|text| !self.said.contains(text));
        let titles = self.titles.iter().map(|text| (*text, TextRole::Title));
        let descriptions = self
            .descriptions
            .iter()
            .map(|text| (*text, TextRole::Description));
        titles
            .chain(descriptions)
            .chain(of_null.map(|text| (text, TextRole::Null)))
            .map(|(text, role)| Text { text, role })
            .collect()
    }
}
