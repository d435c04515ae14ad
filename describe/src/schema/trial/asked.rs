//! What a type asks for, held against what its schema says.

use super::Trial;
use super::decode::Ask;
use super::sample::forms;
use crate::json::Json;
use crate::schema::ShapeProblem;
use crate::schema::form::Form;

impl<'j> Trial<'_, 'j> {
    /// Records what the type asks for, given a value of some form.
    pub(super) fn judge(&mut self, form: &Form<'j>, ask: Ask) {
        if form.is_free() {
            return;
        }
        match ask {
            Ask::Exact | Ask::Unit | Ask::Seq | Ask::Tuple | Ask::Option => {}
            Ask::Any | Ask::Bytes | Ask::Ignored => self.verdict.loose = true,
            Ask::Map => {
                let properties = form
                    .schemas
                    .iter()
                    .any(|schema| schema.get("properties").is_some());
                let open = form.open_members().is_empty();
                self.verdict.loose |= properties || open;
            }
            Ask::Struct(fields) => self.fields(form, fields),
            Ask::Enum(variants) => self.variants(form, variants),
        }
    }

    fn fields(&mut self, form: &Form<'j>, fields: &[&str]) {
        let described = form.properties();
        let is_described = |field: &str| {
            described.iter().any(|(name, _)| *name == field)
                || form.others.iter().any(|other| self.mentions(other, field))
        };
        let hidden: Vec<&str> = fields
            .iter()
            .copied()
            .filter(|field| !is_described(field))
            .collect();
        for field in hidden {
            self.problem(form, field, |parameter, name, place| {
                ShapeProblem::NotDescribedInside {
                    parameter,
                    name,
                    place,
                }
            });
        }
        for (name, _) in described {
            if !fields.contains(&name) {
                self.verdict.loose = true;
                self.problem(form, name, |parameter, name, place| {
                    ShapeProblem::NotDecodedInside {
                        parameter,
                        name,
                        place,
                    }
                });
            }
        }
    }

    fn variants(&mut self, form: &Form<'j>, variants: &[&str]) {
        if let [only] = &*form.schemas
            && only.get("const").is_some()
        {
            // The tag beside some content. Its other variants stand in other alternatives, and
            // what is none of them is refused by all.
            return;
        }
        let schemas = || form.schemas.iter().chain(&form.others);
        for variant in variants {
            if !schemas().any(|schema| self.names(schema, variant)) {
                self.verdict.loose = true;
                self.problem(form, variant, |parameter, name, place| {
                    ShapeProblem::NotDescribedInside {
                        parameter,
                        name,
                        place,
                    }
                });
            }
        }
    }

    /// Whether a schema has a property of this name, by itself or where it refers to.
    fn mentions(&self, schema: &'j Json, name: &str) -> bool {
        forms(schema, self.definitions)
            .iter()
            .any(|form| form.property(name).is_some())
    }

    /// Whether a schema allows a variant of this name: a string, or the only member of an object.
    fn names(&self, schema: &'j Json, name: &str) -> bool {
        forms(schema, self.definitions).iter().any(|form| {
            let listed = form.listed().unwrap_or_default();
            listed.iter().any(|word| word.as_str() == Some(name)) || form.property(name).is_some()
        })
    }

    pub(super) fn problem(
        &mut self,
        form: &Form<'j>,
        name: &str,
        problem: impl FnOnce(String, String, String) -> ShapeProblem,
    ) {
        let place = match form.types.last() {
            Some(name) => format!("in the type `{name}`"),
            None => "inside it".to_owned(),
        };
        let problem = problem(self.name.to_owned(), name.to_owned(), place);
        if self.met.insert(problem.to_string()) {
            self.verdict.problems.push(problem);
        }
    }
}
