//! Callers with JSON Web Tokens (RFC 7519), for services of [Docent](https://docs.rs/docent).
//!
//! [`Jwt`] is an authenticator, as `Bearer` of Docent is. It knows an issuer, such as the one that your users log in at,
//! fetches the keys of this issuer, and verifies with them the tokens that callers bring:
//!
//! ```
//! use docent::{Caller, Fault, Service, procedure};
//! use docent_jwt::{Claims, Jwt};
//!
//! /// Removes a book.
//! #[procedure(scope = "books:write")]
//! fn discard(id: u32, user: Caller<Claims>) -> Result<(), Fault> {
//!     println!("{} has discarded {id}", user.sub);
//!     Ok(())
//! }
//!
//! let service = Service::builder("library", "urn:uuid:41544946-415a-495a-5645-454441534671")
//!     .authenticate(Jwt::issuer("https://issuer.example", "library"))
//!     .procedure(discard::procedure())
//!     .build()?;
//! # Ok::<(), docent::BuildError>(())
//! ```
//!
//! It stands on [jsonwebtoken](https://docs.rs/jsonwebtoken), which takes its cryptography from one provider for the whole
//! process. The first `Jwt` sets one with ring that only verifies, unless there is one. If your program sets another
//! itself, let it do so before.

mod authenticator;
mod claims;
mod issuer;
mod key_set;
mod provider;
mod token;

pub use authenticator::Jwt;
pub use claims::Claims;

// The code of the crate's README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
