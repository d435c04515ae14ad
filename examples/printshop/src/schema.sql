PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;

CREATE TABLE IF NOT EXISTS customers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key_hash BLOB NOT NULL UNIQUE
);

CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY,
    customer INTEGER NOT NULL REFERENCES customers (id),
    content BLOB NOT NULL
);

CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer INTEGER NOT NULL REFERENCES customers (id),
    file INTEGER NOT NULL REFERENCES files (id),
    copies INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    printed INTEGER NOT NULL DEFAULT 0,
    paid INTEGER NOT NULL DEFAULT 0
);
