-- What a careless handler could break, the schema forbids: a copy is on one open loan at most, no
-- loan is without a copy and a member, no title has the same author twice.

CREATE TABLE authors (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    sort_name TEXT NOT NULL,
    -- The sort name folded: what prefixes are compared with and lists are ordered by.
    filing    TEXT NOT NULL,
    born      INTEGER,
    died      INTEGER
) STRICT;
CREATE INDEX authors_by_filing ON authors (filing);

CREATE TABLE books (
    id            INTEGER PRIMARY KEY,
    title         TEXT NOT NULL,
    english_title TEXT,
    -- The title folded, without its leading article.
    filing        TEXT NOT NULL,
    year          INTEGER,
    language      TEXT NOT NULL
) STRICT;
CREATE INDEX books_by_filing ON books (filing);

CREATE TABLE book_authors (
    book     INTEGER NOT NULL REFERENCES books (id),
    position INTEGER NOT NULL,
    author   INTEGER NOT NULL REFERENCES authors (id),
    PRIMARY KEY (book, position),
    UNIQUE (author, book)
) STRICT, WITHOUT ROWID;

CREATE TABLE book_subjects (
    subject TEXT NOT NULL,
    book    INTEGER NOT NULL REFERENCES books (id),
    PRIMARY KEY (book, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX books_by_subject ON book_subjects (subject);

CREATE TABLE copies (
    id     INTEGER PRIMARY KEY,
    book   INTEGER NOT NULL REFERENCES books (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    UNIQUE (book, number)
) STRICT;

CREATE TABLE members (
    id     INTEGER PRIMARY KEY,
    card   TEXT NOT NULL UNIQUE,
    name   TEXT NOT NULL,
    joined TEXT NOT NULL
) STRICT;

CREATE TABLE loans (
    id       INTEGER PRIMARY KEY,
    copy     INTEGER NOT NULL REFERENCES copies (id),
    member   INTEGER NOT NULL REFERENCES members (id),
    lent     TEXT NOT NULL,
    due      TEXT NOT NULL CHECK (due >= lent),
    returned TEXT CHECK (returned >= lent)
) STRICT;
CREATE UNIQUE INDEX open_loan_of_copy ON loans (copy) WHERE returned IS NULL;
CREATE INDEX loans_by_copy ON loans (copy);
CREATE INDEX loans_by_member ON loans (member);
CREATE INDEX loans_by_day ON loans (lent);

-- Requests that were carried out and have a name, with their answers. See `once.rs`.
CREATE TABLE requests (
    id        TEXT PRIMARY KEY,
    procedure TEXT NOT NULL,
    params    TEXT NOT NULL,
    answer    TEXT NOT NULL,
    day       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_by_day ON requests (day);

-- The words of each book, folded by `fold.rs`, so the tokenizer has nothing left to fold. The text
-- itself is not kept: it stands in the tables above. Marks (M*) belong to words: in the scripts of
-- India they are the vowels.
CREATE VIRTUAL TABLE book_words USING fts5 (
    titles, authors, subjects,
    content = '',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
);
