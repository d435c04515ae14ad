//! The procedures, and the service that they make.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use docent::{BearerToken, BuildError, Fault, RpcError, Service, procedures};
use schemars::JsonSchema;
use serde::Deserialize;

const NAME: &str = "greeter";
/// Identifies the service. Replace it by a URI of your own.
const ID: &str = "https://example.com/greeter";

/// A language, as a code of two letters.
#[derive(PartialEq, Eq, Hash, Deserialize, JsonSchema)]
struct Language(#[schemars(regex(pattern = "^[a-z]{2}$"))] String);

#[derive(Debug, RpcError)]
enum GreetError {
    /// There is no greeting in this language. Set one with `greeting.set`.
    #[rpc(code = 1404, status = 404)]
    NoGreeting { language: String },
}

/// The greetings in all languages, which calls share.
struct Greeter {
    greetings: Mutex<HashMap<Language, String>>,
}

#[procedures]
impl Greeter {
    /// Greets a person by name.
    #[procedure(
        idempotent,
        returns = "The greeting.",
        example(params = ["Ada"], result = "Hello, Ada!")
    )]
    fn greet(
        &self,
        /// The name of the person.
        #[schemars(length(min = 1, max = 100))]
        name: String,
        /// The language of the greeting, or English.
        language: Option<Language>,
    ) -> Result<String, GreetError> {
        let language = language.unwrap_or_else(|| Language("en".to_owned()));
        match self.greetings().get(&language) {
            Some(greeting) => Ok(format!("{greeting}, {name}!")),
            None => Err(GreetError::NoGreeting {
                language: language.0,
            }),
        }
    }

    /// Sets the greeting in a language.
    #[procedure(name = "greeting.set", example(params = ["is", "Halló"], result = null))]
    fn set_greeting(
        &self,
        /// The language of the greeting.
        language: Language,
        /// What comes before the name.
        #[schemars(length(min = 1, max = 100))]
        greeting: String,
    ) -> Result<(), Fault> {
        self.greetings().insert(language, greeting);
        Ok(())
    }

    fn greetings(&self) -> MutexGuard<'_, HashMap<Language, String>> {
        // A greeting is there or not, even if a thread panicked meanwhile.
        self.greetings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Builds the service, or returns what is wrong with its description. Callers need the token for changes.
pub(crate) fn service(token: &str) -> Result<Service, BuildError> {
    let english = (Language("en".to_owned()), "Hello".to_owned());
    let state = Greeter {
        greetings: Mutex::new(HashMap::from([english])),
    };
    Service::builder(NAME, ID)
        .version("0.1")
        .guard(BearerToken::new(NAME, token, |procedure| {
            !procedure.idempotent
        }))
        .procedures(state.procedures())
        .build()
}
