//! A service under names that others have chosen: those of Ethereum's JSON-RPC, so that ethers, viem and web3.py talk
//! to it as it is.
//!
//! Three things differ from what Docent does by itself, and each is one line of the registration: the notification has
//! another name than its subscription (`eth_subscription`), `rpc.unsubscribe` has an alias (`eth_unsubscribe`), and the end
//! of a subscription is not told, because these clients know only items.
//!
//! The chain itself is a toy: blocks without transactions, in memory.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use docent::{BuildError, Cx, Fault, Following, Procedure, Service, Subscription, Topic};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The number of this chain, which wallets ask for.
const CHAIN_ID: u64 = 1337;

/// The number of blocks that a follower may be behind.
const MAX_LAG: usize = 1_000;

/// A number as Ethereum writes it: hexadecimal, without zeros before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Quantity(#[schemars(regex(pattern = "^0x(0|[1-9a-f][0-9a-f]*)$"))] String);

impl From<u64> for Quantity {
    fn from(number: u64) -> Self {
        Self(format!("{number:#x}"))
    }
}

/// A hash of 32 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Hash(#[schemars(regex(pattern = "^0x[0-9a-f]{64}$"))] String);

/// Bytes of any number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Data(#[schemars(regex(pattern = "^0x([0-9a-f]{2})*$"))] String);

impl Hash {
    /// Returns a hash that no other block has. A real chain would compute it from the block.
    fn of_block(number: u64) -> Self {
        Self(format!("0x{:064x}", number + 1))
    }

    fn zero() -> Self {
        Self(format!("0x{:064x}", 0))
    }
}

impl Data {
    fn zeros(bytes: usize) -> Self {
        Self(format!("0x{}", "00".repeat(bytes)))
    }
}

/// A block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    number: Quantity,
    hash: Hash,
    parent_hash: Hash,
    /// The time at which it was made, in seconds since 1970.
    timestamp: Quantity,
    nonce: Data,
    sha3_uncles: Hash,
    logs_bloom: Data,
    transactions_root: Hash,
    state_root: Hash,
    receipts_root: Hash,
    miner: Data,
    mix_hash: Hash,
    difficulty: Quantity,
    extra_data: Data,
    gas_limit: Quantity,
    gas_used: Quantity,
    base_fee_per_gas: Quantity,
    size: Quantity,
    transactions: Vec<Hash>,
    uncles: Vec<Hash>,
}

impl Block {
    fn new(number: u64) -> Self {
        let parent = number.checked_sub(1);
        Self {
            number: number.into(),
            hash: Hash::of_block(number),
            parent_hash: parent.map_or_else(Hash::zero, Hash::of_block),
            timestamp: (1_700_000_000 + number).into(),
            nonce: Data::zeros(8),
            sha3_uncles: Hash::zero(),
            logs_bloom: Data::zeros(256),
            transactions_root: Hash::zero(),
            state_root: Hash::zero(),
            receipts_root: Hash::zero(),
            miner: Data::zeros(20),
            mix_hash: Hash::zero(),
            difficulty: 0.into(),
            extra_data: Data::zeros(0),
            gas_limit: 30_000_000.into(),
            gas_used: 0.into(),
            base_fee_per_gas: 0.into(),
            size: 0x220.into(),
            transactions: Vec::new(),
            uncles: Vec::new(),
        }
    }
}

/// The blocks, and who follows them.
pub struct Chain {
    blocks: Mutex<Vec<Block>>,
    heads: Topic<Block>,
}

impl Chain {
    /// Creates a chain with its first block.
    pub fn new() -> Self {
        Self {
            blocks: Mutex::new(vec![Block::new(0)]),
            heads: Topic::new(MAX_LAG),
        }
    }

    /// Adds a block, and tells those who follow.
    pub fn add_block(&self) {
        // Under the lock, so that blocks are told in their order.
        let mut blocks = self.blocks();
        let block = Block::new(blocks.len() as u64);
        blocks.push(block.clone());
        // It can always be written as JSON.
        let _ = self.heads.publish(block);
    }

    fn blocks(&self) -> MutexGuard<'_, Vec<Block>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the block with a number, or at the end of the chain.
    fn block(&self, name: &str) -> Option<Block> {
        let blocks = self.blocks();
        match name {
            "earliest" => blocks.first().cloned(),
            "latest" | "safe" | "finalized" | "pending" => blocks.last().cloned(),
            number => {
                let number = number.strip_prefix("0x")?;
                let number = usize::from_str_radix(number, 16).ok()?;
                blocks.get(number).cloned()
            }
        }
    }
}

impl Default for Chain {
    fn default() -> Self {
        Self::new()
    }
}

/// A kind of news.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Kind {
    /// Each new block.
    NewHeads,
}

/// Follows the chain.
#[derive(Deserialize, JsonSchema)]
struct Subscribe {
    /// The kind of news to follow.
    kind: Kind,
}

/// Asks for a block.
#[derive(Deserialize, JsonSchema)]
struct BlockByNumber {
    /// Its number, or `latest`.
    #[serde(rename = "blockNumber")]
    name: String,
    /// Set for whole transactions. There are none.
    #[serde(rename = "hydrated")]
    _is_whole: Option<bool>,
}

/// Returns the service of a chain.
///
/// # Errors
/// The registration has a mistake.
pub fn service(chain: Arc<Chain>) -> Result<Service, BuildError> {
    let subscribe = Subscription::new("eth_subscribe", async |cx: Cx<Chain>, p: Subscribe| {
        let Kind::NewHeads = p.kind;
        Ok::<Following<Block, Fault>, _>(cx.state().heads.follow())
    });
    Service::builder("chain", "urn:uuid:41544946-415a-495a-5645-454441534660")
        .version("1.0")
        .shared_state(chain)
        .procedure(
            subscribe
                .notified_as("eth_subscription")
                .ends_untold()
                .summary("Tells of each new block.")
                .example((Kind::NewHeads,), [Block::new(1)]),
        )
        .unsubscribe_alias("eth_unsubscribe")
        .procedure(
            Procedure::sync("eth_chainId", |_: Cx<Chain>, (): ()| {
                Ok::<_, Fault>(Quantity::from(CHAIN_ID))
            })
            .summary("Returns the number of the chain.")
            .idempotent(),
        )
        .procedure(
            Procedure::sync("net_version", |_: Cx<Chain>, (): ()| {
                Ok::<_, Fault>(CHAIN_ID.to_string())
            })
            .summary("Returns the number of the network.")
            .returns("The number in decimals.")
            .idempotent(),
        )
        .procedure(
            Procedure::sync("eth_blockNumber", |cx: Cx<Chain>, (): ()| {
                let last = cx.state().blocks().len() as u64 - 1;
                Ok::<_, Fault>(Quantity::from(last))
            })
            .summary("Returns the number of the last block.")
            .idempotent(),
        )
        .procedure(
            Procedure::sync("eth_getBlockByNumber", |cx: Cx<Chain>, p: BlockByNumber| {
                Ok::<_, Fault>(cx.state().block(&p.name))
            })
            .summary("Returns a block, or null if there is none.")
            .idempotent()
            .example(("0x1", false), Some(Block::new(1))),
        )
        .build()
}
