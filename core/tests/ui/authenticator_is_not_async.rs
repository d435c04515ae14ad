//! An authenticator with a plain function, in the place of an async one.

// expect: not async: `Bearer::sync`

use std::borrow::Cow;

use docent::{Bearer, Identity};

struct User;

impl Identity for User {
    fn id(&self) -> Cow<'_, str> {
        Cow::from("user")
    }
}

fn main() {
    let _ = Bearer::new("library", |_| Some(User));
    //~^ is not a future
}
