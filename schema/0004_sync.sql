-- Version 4: exchange with other databases.

-- Whose events are believed. Trust is a matter of this file alone and never travels:
-- 0 blocked (does not count), 1 unreviewed (counts, its text is not shown by recommend), 2 team, 3 self.
ALTER TABLE origin ADD COLUMN trust INTEGER NOT NULL DEFAULT 1 CHECK (trust BETWEEN 0 AND 3);
-- The Ed25519 key that signed its first segment; another key is refused from then on. NULL: nothing signed seen yet.
ALTER TABLE origin ADD COLUMN public_key BLOB CHECK (public_key IS NULL OR length(public_key) = 32);
ALTER TABLE origin ADD COLUMN label TEXT NOT NULL DEFAULT '' CHECK (length(label) <= 200);  -- what we call it
ALTER TABLE origin ADD COLUMN via TEXT NOT NULL DEFAULT '';  -- the remote or file it first came from
-- Whoever merged a file by hand before there was trust had decided to believe it.
UPDATE origin SET trust = CASE is_self WHEN 1 THEN 3 ELSE 2 END;

-- The hash chain of each origin's log at some of its events (at least every thousandth). A row with a signature closes
-- a segment that begins at `first`: it is handed on unchanged to whoever lacks it.
CREATE TABLE chain (
  origin    INTEGER NOT NULL,
  seq       INTEGER NOT NULL,
  hash      BLOB NOT NULL CHECK (length(hash) = 32),
  first     INTEGER NOT NULL DEFAULT 0,
  signature BLOB CHECK (signature IS NULL OR length(signature) = 64),
  PRIMARY KEY (origin, seq)
) STRICT, WITHOUT ROWID;

-- Bodies that were erased: the digest keeps the chain verifiable. `no` is the order in which remotes are told.
CREATE TABLE erased (
  no     INTEGER PRIMARY KEY,
  rid    INTEGER NOT NULL UNIQUE,
  digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT;

-- Events of a kind or version that this program does not know: kept, handed on, and applied by one that does.
CREATE TABLE deferred (rid INTEGER PRIMARY KEY) STRICT;
INSERT INTO deferred SELECT rid FROM event WHERE kind NOT BETWEEN 1 AND 6 OR version > 1;

CREATE TABLE remote (
  name        TEXT PRIMARY KEY,
  url         TEXT NOT NULL,
  trust       INTEGER NOT NULL DEFAULT 1 CHECK (trust BETWEEN 0 AND 2),  -- of origins first met there
  pull_cursor TEXT NOT NULL DEFAULT '',     -- how far it was read, in the remote's own words
  erased      INTEGER NOT NULL DEFAULT 0,   -- the last `erased.no` it was told
  tried_at    INTEGER NOT NULL DEFAULT 0,   -- Unix time in ms of the last attempt, and of the last that succeeded
  ok_at       INTEGER NOT NULL DEFAULT 0,
  last_error  TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- Segments that were refused, and why; the remote still has them (`explog sync --full` looks at them again).
CREATE TABLE quarantine (
  no     INTEGER PRIMARY KEY,
  remote TEXT NOT NULL,
  origin BLOB NOT NULL,    -- 16 bytes, or empty when not even that could be read
  first  INTEGER NOT NULL,
  last   INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at     INTEGER NOT NULL,
  UNIQUE (remote, origin, first, last, reason)
) STRICT;

-- ---- projections, as in 0001 ----

-- What others found when they measured a record again; the last word of each judging origin holds.
CREATE TABLE verdict (
  rid        INTEGER NOT NULL,
  by_rid     INTEGER NOT NULL,
  reproduced INTEGER NOT NULL CHECK (reproduced IN (0, 1)),
  PRIMARY KEY (rid, by_rid)
) STRICT, WITHOUT ROWID;

-- Another name of a strategy: of all events that say so the highest (lamport, origin, sequence) holds.
CREATE TABLE alias (
  name    TEXT NOT NULL,
  target  TEXT NOT NULL,
  lamport INTEGER NOT NULL,
  by_rid  INTEGER NOT NULL,
  PRIMARY KEY (name, by_rid)
) STRICT, WITHOUT ROWID;

-- Finding what one event did, when its origin's trust changes.
CREATE INDEX retraction_by ON retraction(by_rid);
