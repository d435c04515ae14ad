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
        //~^^ the caller as `Caller<…>`
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
        //~^ a result cannot borrow, because it is sent after the function has returned: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
        Ok(&self.0)
    }

    #[procedure]
    fn nested(&self) -> Result<Vec<&[u8]>, Fault> {
        //~^ a result cannot borrow, because it is sent after the function has returned: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
        Ok(Vec::new())
    }

    #[procedure]
    fn lifetime(&self) -> Result<std::borrow::Cow<'_, str>, Fault> {
        //~^ a result cannot borrow, because it is sent after the function has returned: write a type without references and lifetimes, such as `String` for `&str` or `Vec<u8>` for `&[u8]`
        Ok("".into())
    }

    #[procedure]
    fn constant(&self) -> Result<&'static str, Fault> {
        Ok("")
    }
}

fn main() {
    let _ = Library(String::new()).procedures::<()>();
}
