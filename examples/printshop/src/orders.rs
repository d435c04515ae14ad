//! The procedures that customers and staff call.

use docent::{Bytes, Caller, Fault, Following, ResultExt, RpcError, procedures};
use hmac_sha256::Hash;
use rusqlite::{OptionalExtension as _, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Shop;
use crate::access::User;
use crate::shop::PrintedCopy;

/// An order of copies.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Order {
    id: u32,
    copies: u32,
    /// How many copies have been printed.
    printed: u32,
    cents: u32,
    paid: bool,
}

fn read_order(row: &Row<'_>) -> rusqlite::Result<Order> {
    Ok(Order {
        id: row.get("id")?,
        copies: row.get("copies")?,
        printed: row.get("printed")?,
        cents: row.get("cents")?,
        paid: row.get("paid")?,
    })
}

#[derive(Debug, RpcError)]
enum OrderError {
    /// You have no file with this number. Add one with `file.add`.
    #[rpc(code = 1404, status = 404, retry = false)]
    NoSuchFile { file: u32 },
    /// There is no such order, or it belongs to another customer.
    #[rpc(code = 1405, status = 404, retry = false)]
    NoSuchOrder { order: u32 },
    #[rpc(from_any_error)]
    Internal(Fault),
}

#[procedures(blocking)]
impl Shop {
    /// Adds a customer.
    #[procedure(name = "customer.add", scope = "staff", returns = "The API key.")]
    fn add_customer(
        &self,
        /// The name on the invoices.
        #[schemars(length(min = 1))]
        name: String,
    ) -> Result<String, Fault> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).internal()?;
        let key = format!("{:032x}", u128::from_be_bytes(bits));
        let values = (name, Hash::hash(key.as_bytes()));
        let sql = "INSERT INTO customers (name, key_hash) VALUES (?1, ?2)";
        self.database().execute(sql, values).internal()?;
        Ok(key)
    }

    /// Adds a file to print.
    #[procedure(name = "file.add", scope = "customer", returns = "Its number.")]
    fn add_file(
        &self,
        user: Caller<User>,
        /// A PDF.
        content: Bytes,
    ) -> Result<u32, Fault> {
        if !content.0.starts_with(b"%PDF-") {
            return Err(Fault::invalid_params("content", "expected a PDF"));
        }
        let values = (user.customer, content.0);
        let sql = "INSERT INTO files (customer, content) VALUES (?1, ?2) RETURNING id";
        let added = self.database().query_row(sql, values, |row| row.get(0));
        added.internal()
    }

    /// Orders copies of a file. Printing starts once the order is paid.
    #[procedure(name = "order.place", scope = "customer", repeatable = "24h", only_errors = [1404],
        example(params = [1, 3],
            result = {"id": 1, "copies": 3, "printed": 0, "cents": 105, "paid": false}))]
    fn place_order(
        &self,
        user: Caller<User>,
        /// The number of the file.
        file: u32,
        /// How many copies to print.
        #[schemars(range(min = 1, max = 500))]
        copies: u32,
    ) -> Result<Order, OrderError> {
        let values = (file, user.customer, copies, copies * 35);
        let sql = "INSERT INTO orders (customer, file, copies, cents) SELECT customer, id, ?3, ?4
                   FROM files WHERE id = ?1 AND customer = ?2 RETURNING *";
        let placed = self.database().query_row(sql, values, read_order);
        placed.optional()?.ok_or(OrderError::NoSuchFile { file })
    }

    /// Returns an order with its progress.
    #[procedure(name = "order.get", idempotent, only_errors = [1405],
        example(params = [7], error = 1405, data = {"order": 7}))]
    fn get_order(
        &self,
        user: Caller<User>,
        /// The number of the order.
        order: u32,
    ) -> Result<Order, OrderError> {
        let values = (order, user.customer);
        let sql = "SELECT * FROM orders WHERE id = ?1 AND customer = coalesce(?2, customer)";
        let found = self.database().query_row(sql, values, read_order);
        found.optional()?.ok_or(OrderError::NoSuchOrder { order })
    }

    /// Tells of each copy that is printed: customers of their own, staff of all.
    #[subscription(name = "job.watch", resume_by("after", |copy| copy.number),
        example(params = {"after": 7},
            items = [{"number": 8, "order": 1, "printed": 1, "copies": 3}]))]
    fn watch_jobs(
        &self,
        user: Caller<User>,
        /// The number of the last copy that you know.
        after: Option<u32>,
    ) -> Result<Following<PrintedCopy, Fault>, Fault> {
        let copies = match after {
            None => self.printed.follow(),
            Some(after) => self
                .printed
                .resume(|copy| copy.number == after)
                .ok_or_else(Fault::cannot_resume)?,
        };
        Ok(copies.filter(move |copy| user.customer.is_none_or(|own| own == copy.customer)))
    }
}
