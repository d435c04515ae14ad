//! The calls to measure, and their bodies.

/// A call to measure.
#[derive(Clone, Copy)]
pub struct Case {
    /// The name on the command line.
    pub name: &'static str,
    body: fn() -> String,
}

/// Every call that can be measured.
pub const CASES: [Case; 12] = [
    Case {
        name: "sum",
        body: sum,
    },
    Case {
        name: "named",
        body: named,
    },
    Case {
        name: "defaults",
        body: defaults,
    },
    Case {
        name: "constrained",
        body: constrained,
    },
    Case {
        name: "order",
        body: order,
    },
    Case {
        name: "refused",
        body: refused,
    },
    Case {
        name: "mistyped",
        body: mistyped,
    },
    Case {
        name: "misspelt",
        body: misspelt,
    },
    Case {
        name: "error",
        body: error,
    },
    Case {
        name: "batch",
        body: batch,
    },
    Case {
        name: "large-parameter",
        body: large_parameter,
    },
    Case {
        name: "large-result",
        body: large_result,
    },
];

impl Case {
    /// The call of this name.
    pub fn find(name: &str) -> Option<Self> {
        CASES.into_iter().find(|case| case.name == name)
    }

    /// The bytes that a client sends.
    pub fn body(self) -> &'static [u8] {
        (self.body)().leak().as_bytes()
    }
}

/// The size of the large parameter and of the large result, in bytes.
const LARGE: usize = 1_000_000;

fn call(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params},"id":1}}"#)
}

fn sum() -> String {
    call("sum", "[1.5,2.25]")
}

fn named() -> String {
    call("sum", r#"{"a":1.5,"b":2.25}"#)
}

fn defaults() -> String {
    call("find", r#"{"words":"moby dick"}"#)
}

fn constrained() -> String {
    call("reserve", r#"{"code":"opera","places":2}"#)
}

fn order() -> String {
    let lines = r#"[{"product":"B-1043","quantity":2,"price":12.5},{"product":"B-2210","quantity":1,"price":7.25},{"product":"C-0001","quantity":10,"price":0.99}]"#;
    let params = format!(
        r#"{{"customer":{{"name":"Ada Lovelace","email":"ada@example.org","number":1815}},"address":{{"street":"12 St James's Square","city":"London","zip":"10115","country":"GB"}},"lines":{lines},"payment":{{"kind":"card","token":"tok_5f7f3d1b"}},"shipping":"express","note":"Ring twice"}}"#
    );
    call("order", &params)
}

/// A value that is out of range.
fn refused() -> String {
    call("reserve", r#"{"code":"opera","places":200}"#)
}

/// A value of another type.
fn mistyped() -> String {
    call("sum", r#"["x",2.25]"#)
}

/// An unknown name, in place of an optional parameter's.
fn misspelt() -> String {
    call("find", r#"{"words":"moby dick","limits":3}"#)
}

fn error() -> String {
    call("shelf", "[7]")
}

fn batch() -> String {
    let calls: Vec<String> = (0..100)
        .map(|id| format!(r#"{{"jsonrpc":"2.0","method":"sum","params":[1.5,2.25],"id":{id}}}"#))
        .collect();
    format!("[{}]", calls.join(","))
}

fn large_parameter() -> String {
    let text = "the quick brown fox\\n".repeat(LARGE / 21);
    call("measure", &format!(r#"{{"text":"{text}"}}"#))
}

fn large_result() -> String {
    call("fill", &format!(r#"{{"bytes":{LARGE}}}"#))
}
