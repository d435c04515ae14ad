//! Types that compile, but not to what they say, and attributes that do not fit them.

#![allow(unused)]

use std::sync::Arc;

use docent_core::{Fault, procedures};

struct User;

struct Database;

struct Library(String);

#[procedures]
impl Library {
    #[procedure]
    fn caller(&self, user: User) -> Result<u8, Fault> {
        //~^ `User` cannot be a parameter
        //~^^ the caller is a `Caller<…>`
        Ok(1)
    }

    #[procedure]
    fn state(&self, database: Arc<Database>) -> Result<u8, Fault> {
        //~^ `Arc<Database>` cannot be a parameter
        //~^^ write `#[derive(Deserialize, JsonSchema)]`
        Ok(1)
    }
}

struct Shop(String);

#[procedures]
impl Shop {
    #[procedure]
    fn borrowed(&self) -> Result<&str, Fault> {
        //~^ a result owns its value, because it is sent after the function has returned: write `String` instead of a reference
        Ok(&self.0)
    }

    #[procedure]
    fn nested(&self) -> Result<Vec<&[u8]>, Fault> {
        //~^ write `Vec<u8>` instead of a reference
        Ok(Vec::new())
    }

    #[procedure]
    fn lifetime(&self) -> Result<std::borrow::Cow<'_, str>, Fault> {
        //~^ a result owns its value, because it is sent after the function has returned: write a type without the lifetime `'_`
        Ok("".into())
    }

    #[procedure]
    fn constant(&self) -> Result<&'static str, Fault> {
        Ok("")
    }

    #[procedure]
    fn range_of_a_text(&self, #[schemars(range(min = 1))] words: Option<String>) -> Result<(), Fault> {
        //~^ `range` is for numbers: for a text or a list, write `length(min = …, max = …)`
        Ok(())
    }

    #[procedure]
    fn length_of_a_number(&self, #[schemars(length(max = 9))] limit: u32) -> Result<(), Fault> {
        //~^ `length` is for texts and lists: for a number, write `range(min = …, max = …)`
        Ok(())
    }

    #[procedure]
    fn default_for_serde(&self, #[serde(default = 20)] limit: u32) -> Result<(), Fault> {
        //~^ serde takes the name of a function here: write `#[procedure(default = 20)]`
        Ok(())
    }
}

fn main() {
    let _ = Library(String::new()).procedures::<()>();
}
