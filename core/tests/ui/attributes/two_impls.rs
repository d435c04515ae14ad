//! Two `impl`s of a type, and prefixes that are none.

#![allow(unused)]

use docent_core::{Fault, procedures};

struct Library;

#[procedures]
impl Library {
    #[procedure]
    fn find(&self) -> Result<(), Fault> {
        Ok(())
    }
}

#[procedures]
impl Library {
    //~^ OnlyImplWithoutFnName` for type `Library`
    #[procedure]
    fn get(&self) -> Result<(), Fault> {
        Ok(())
    }
}

struct Shop;

#[procedures(prefix = "shop.")]
//~^ a prefix is not empty, and neither begins nor ends with a dot: write `prefix = "book"`, or leave it out
impl Shop {
    #[procedure("order")]
    //~^ every option needs a name, as in `name = "find"`
    fn order(&self) -> Result<(), Fault> {
        Ok(())
    }
}

struct Bank;

#[procedures("bank")]
//~^ every option needs a name, as in `name = "find"`
impl Bank {
    #[procedure]
    fn open(&self) -> Result<(), Fault> {
        Ok(())
    }
}

struct Post;

#[procedures(prefix = "")]
//~^ write `prefix = "book"`, or leave it out for names without a prefix
impl Post {
    #[procedure]
    fn send(&self) -> Result<(), Fault> {
        Ok(())
    }
}

fn main() {}
