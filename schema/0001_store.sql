-- explog database, version 1. Numbered files run once each, in order, and are never edited after a release.
-- No JSON and no FTS in the schema beyond the table itself: the program opens it with trusted_schema=OFF.

-- Facts of this file: "file_identity" (clone guard).
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Who wrote events: one origin a database, 16 random bytes. `no` is local to this file.
CREATE TABLE origin (
  no      INTEGER PRIMARY KEY,
  origin  BLOB NOT NULL UNIQUE CHECK (length(origin) = 16),
  is_self INTEGER NOT NULL DEFAULT 0 CHECK (is_self IN (0, 1))  -- the one this file appends to
) STRICT;
CREATE UNIQUE INDEX origin_self ON origin(is_self) WHERE is_self = 1;

-- The log, the only truth. rid = origin.no * 2^40 + seq, seq = 1, 2, 3, ... without a hole for each origin.
CREATE TABLE event (
  rid     INTEGER PRIMARY KEY,
  id      BLOB NOT NULL CHECK (length(id) = 16),      -- UUIDv7, or UUIDv8 of the content for imported rows
  kind    INTEGER NOT NULL,                           -- 1 experience 2 measurement 3 retract 4 replace 5 alias 6 device
  version INTEGER NOT NULL,                           -- of the body's format
  at      INTEGER NOT NULL,                           -- Unix time in ms, as the origin claims it
  body    TEXT NOT NULL CHECK (length(body) <= 300000)  -- one JSON line, as the origin wrote it
) STRICT;
CREATE INDEX event_id ON event(id);

-- ---- projections: rebuilt from the log by `explog doctor --rebuild`, never the truth ----

-- One row an experience that counts (not retracted). Only what is searched and sorted; the rest is in the body.
CREATE TABLE attempt (
  rid               INTEGER PRIMARY KEY,
  kernel_type       TEXT NOT NULL,
  kernel            TEXT NOT NULL,
  backend           TEXT NOT NULL,
  arch              TEXT NOT NULL,
  gpu               TEXT NOT NULL,
  dtype             TEXT NOT NULL,
  bottleneck        TEXT NOT NULL,
  strategy          TEXT NOT NULL,
  outcome           TEXT NOT NULL,
  cause             TEXT NOT NULL,
  level             TEXT NOT NULL,
  latency_after_ms  REAL,
  speedup           REAL               -- latency before / after
) STRICT;

-- Counts and integer sums by context: what `recommend` reads. Sums are log2(speedup) * 10^4, so adding and taking away
-- is exact and a rebuild gives the same bits.
CREATE TABLE cell (
  family     TEXT NOT NULL,
  strategy   TEXT NOT NULL,
  backend    TEXT NOT NULL,
  arch       TEXT NOT NULL,
  bottleneck TEXT NOT NULL,
  size       INTEGER NOT NULL,  -- floor(log2(product of the shape) / 3), -1 unknown
  state      TEXT NOT NULL,     -- state facts in steps of two in log2
  level      TEXT NOT NULL,
  origin     INTEGER NOT NULL,
  quarter    INTEGER NOT NULL,  -- year * 4 + quarter of the event's time
  success    INTEGER NOT NULL,
  neutral    INTEGER NOT NULL,
  failure    INTEGER NOT NULL,
  broken     INTEGER NOT NULL,  -- failures that did not run or were wrong (a cause other than regression)
  gain_n     INTEGER NOT NULL,  -- successes with a speed-up
  gain_sum   INTEGER NOT NULL,
  loss_n     INTEGER NOT NULL,  -- failures with a speed-up
  loss_sum   INTEGER NOT NULL,
  first_rid  INTEGER NOT NULL,  -- oldest and newest record, shown as evidence
  last_rid   INTEGER NOT NULL,
  PRIMARY KEY (family, strategy, backend, arch, bottleneck, size, state, level, origin, quarter)
) STRICT, WITHOUT ROWID;

-- Records taken back: the event that says so and why.
CREATE TABLE retraction (
  rid    INTEGER NOT NULL,
  by_rid INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (rid, by_rid)
) STRICT, WITHOUT ROWID;

-- `add --idempotency-key`: a retry finds what the first try stored.
CREATE TABLE idempotency (key TEXT NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) STRICT, WITHOUT ROWID;

-- Free text of records that have some; written by the program in the same transaction.
CREATE VIRTUAL TABLE note USING fts5(text, content='', tokenize="unicode61 remove_diacritics 2 tokenchars '_'");
