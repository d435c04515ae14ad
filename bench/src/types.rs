//! The parameters and results of the benchmarks: the same types with Docent and by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Adds two numbers.
#[derive(Deserialize, JsonSchema)]
pub struct Sum {
    /// Left addend.
    pub a: f64,
    /// Right addend.
    pub b: f64,
}

impl Sum {
    /// Reads every field.
    pub fn total(&self) -> f64 {
        self.a + self.b
    }
}

/// Finds books.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// Words of the title.
    pub words: String,
    /// The number of books.
    #[serde(default = "ten")]
    pub limit: u32,
    /// The number of books to skip.
    #[serde(default)]
    pub offset: u32,
    /// Only books of this shelf.
    pub shelf: Option<String>,
}

fn ten() -> u32 {
    10
}

impl Find {
    /// Reads every field.
    pub fn found(&self) -> usize {
        let narrowed = self.shelf.as_ref().map_or(0, String::len);
        self.words.len() + narrowed + self.limit as usize + self.offset as usize
    }
}

/// Reserves places.
#[derive(Deserialize, JsonSchema)]
pub struct Reserve {
    /// The code of the event.
    #[schemars(regex(pattern = "^[a-z]+$"))]
    pub code: String,
    /// The number of places.
    #[schemars(range(min = 1, max = 100))]
    pub places: u32,
}

/// Accepts an order.
#[derive(Deserialize, JsonSchema)]
pub struct Order {
    /// The customer.
    pub customer: Customer,
    /// The address for the delivery.
    pub address: Address,
    /// The items that are ordered.
    #[schemars(length(min = 1))]
    pub lines: Vec<Line>,
    /// The payment.
    pub payment: Payment,
    /// The shipping.
    pub shipping: Shipping,
    /// A note for the courier.
    pub note: Option<String>,
    /// True to wrap it.
    #[serde(default)]
    pub gift: bool,
}

/// The customer.
#[derive(Deserialize, JsonSchema)]
pub struct Customer {
    /// The full name.
    pub name: String,
    /// The address for the receipt.
    pub email: String,
    /// The number of the customer.
    pub number: u64,
}

/// A postal address.
#[derive(Deserialize, JsonSchema)]
pub struct Address {
    /// Street and house number.
    pub street: String,
    /// The city.
    pub city: String,
    /// Five digits.
    #[schemars(regex(pattern = "^[0-9]{5}$"))]
    pub zip: String,
    /// Two letters.
    pub country: String,
}

/// A line of an order.
#[derive(Deserialize, JsonSchema)]
pub struct Line {
    /// The number of the product.
    pub product: String,
    /// The number.
    #[schemars(range(min = 1, max = 1000))]
    pub quantity: u32,
    /// The price of one.
    #[schemars(range(min = 0.0))]
    pub price: f64,
}

/// The payment of an order.
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Payment {
    /// By card.
    Card {
        /// The token of the card.
        token: String,
    },
    /// By invoice.
    Invoice {
        /// The days until it is due.
        days: u32,
    },
}

/// The shipping of an order.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shipping {
    /// Within a week.
    Standard,
    /// Tomorrow.
    Express,
}

/// The price of an order.
#[derive(Clone, Serialize, JsonSchema)]
pub struct Receipt {
    /// The number of products.
    pub products: u32,
    /// The price of everything.
    pub total: f64,
    /// True if it will arrive tomorrow.
    pub tomorrow: bool,
}

impl Line {
    fn total(&self) -> f64 {
        f64::from(self.quantity) * self.price
    }
}

impl Order {
    /// Reads every field, as a handler would.
    pub fn receipt(&self) -> Receipt {
        let fee = match &self.payment {
            Payment::Card { token } if token.is_empty() => 1.0,
            Payment::Card { .. } => 0.5,
            Payment::Invoice { days } => f64::from(*days) / 10.0,
        };
        let extra = usize::from(self.gift)
            + usize::from(self.note.is_some())
            + usize::from(self.customer.number == 0)
            + usize::from(self.customer.name.is_empty())
            + usize::from(self.customer.email.is_empty())
            + usize::from(self.address.street.is_empty())
            + usize::from(self.address.city.is_empty())
            + usize::from(self.address.country.is_empty())
            + usize::from(self.address.zip.is_empty())
            + usize::from(self.lines.iter().any(|line| line.product.is_empty()));
        Receipt {
            products: self.lines.iter().map(|line| line.quantity).sum(),
            total: self.lines.iter().map(Line::total).sum::<f64>() + fee,
            tomorrow: extra < 10 && matches!(self.shipping, Shipping::Express),
        }
    }
}

/// Looks into a shelf.
#[derive(Deserialize, JsonSchema)]
pub struct Shelf {
    /// Its number.
    pub number: u32,
}

/// Measures a text.
#[derive(Deserialize, JsonSchema)]
pub struct Measure {
    /// The text.
    pub text: String,
}

/// Returns a text.
#[derive(Deserialize, JsonSchema)]
pub struct Fill {
    /// The number of bytes.
    pub bytes: u32,
}

impl Fill {
    /// About as many bytes as were asked for.
    pub fn text(&self) -> String {
        "the quick brown fox\n".repeat(self.bytes as usize / 20)
    }
}

/// The code of the handler that fails.
pub const NO_SUCH_SHELF: i64 = 1404;
/// Its message.
pub const NO_SUCH_SHELF_MESSAGE: &str = "No such shelf";
