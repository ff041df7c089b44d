-- A shared log on a PostgreSQL server: the tables, and all of the plain tier. `explog remote init` runs this file in one
-- transaction. It asks for row locks and nothing else (no sequence, trigger, advisory lock or session state), so that any engine
-- that speaks the protocol will do, also behind a pooler. In the plain tier whoever may write to the tables is trusted to
-- write what is so; readers check signatures either way. hardened.sql trusts nobody.
CREATE SCHEMA IF NOT EXISTS explog;

-- 'schema': the version of these tables; 'min_client': the least version that a client must know; 'tier'.
CREATE TABLE IF NOT EXISTS explog.meta (
  key   text PRIMARY KEY,
  value text NOT NULL
);
INSERT INTO explog.meta VALUES ('schema', '1'), ('min_client', '1') ON CONFLICT DO NOTHING;

-- One log of a team. It is the first column of every key: the unit of distribution, and of contention.
CREATE TABLE IF NOT EXISTS explog.stream (
  stream   text PRIMARY KEY CHECK (length(stream) BETWEEN 1 AND 63),
  epoch    uuid NOT NULL,             -- made with the row; another value means another history
  head_pos bigint NOT NULL DEFAULT 0  -- batches so far. The last lock that a push takes, held until its commit: positions are
                                      -- in the order of commits and without a hole, so a reader that sees n has seen all below
) WITH (fillfactor = 10);             -- updated by every push: room for new versions of the row in its page

-- Who writes: one origin is one database of one user. Its row is the lock of those that push to it.
CREATE TABLE IF NOT EXISTS explog.origin (
  stream     text NOT NULL REFERENCES explog.stream,
  origin     uuid NOT NULL,
  owner      text NOT NULL DEFAULT session_user,            -- the role that registered it
  pubkey     bytea NOT NULL CHECK (octet_length(pubkey) = 32),  -- Ed25519; never changes
  label      text NOT NULL DEFAULT '' CHECK (length(label) <= 200),  -- how people call it
  head_seq   bigint NOT NULL DEFAULT 0,                     -- last event here
  head_hash  bytea NOT NULL DEFAULT '\x',                   -- of the chain up to it; empty before the first
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream, origin)
) WITH (fillfactor = 50);

-- What travels as one: events first_seq..last_seq of an origin, signed by it.
CREATE TABLE IF NOT EXISTS explog.batch (
  stream    text NOT NULL,
  pos       bigint NOT NULL,
  origin    uuid NOT NULL,
  first_seq bigint NOT NULL CHECK (first_seq > 0),
  last_seq  bigint NOT NULL,
  n_bytes   bigint NOT NULL,                                   -- of the bodies, as the writer says: readers plan by it
  prev_hash bytea NOT NULL CHECK (octet_length(prev_hash) IN (0, 32)),  -- of the chain before first_seq
  head_hash bytea NOT NULL CHECK (octet_length(head_hash) = 32),  -- of the chain at last_seq
  sig       bytea NOT NULL CHECK (octet_length(sig) = 64),
  format    integer NOT NULL,
  writer    text NOT NULL DEFAULT session_user,
  pushed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (stream, pos),
  UNIQUE (stream, origin, first_seq),
  CHECK (last_seq >= first_seq)
);

-- The events as their origins wrote them, byte for byte: text or JSON columns would change what was signed.
CREATE TABLE IF NOT EXISTS explog.event (
  stream   text NOT NULL,
  origin   uuid NOT NULL,
  seq      bigint NOT NULL CHECK (seq > 0),
  id       uuid NOT NULL,
  kind     smallint NOT NULL,
  version  smallint NOT NULL,
  at       bigint NOT NULL,  -- Unix time in ms, as the origin claims it
  body     bytea NOT NULL CHECK (octet_length(body) <= 300000),
  redacted bytea CHECK (octet_length(redacted) = 32),  -- BLAKE2b-256 of a body that was erased and is empty now
  PRIMARY KEY (stream, origin, seq)
);

-- What a client asks first, in one question: a row for each origin of a stream, and one without origin for an empty stream.
CREATE OR REPLACE VIEW explog.welcome AS
  SELECT s.stream, c.value AS min_client, t.value AS tier, s.epoch, s.head_pos, true AS can_push, true AS moderator,
         o.origin, o.head_seq, o.head_hash
    FROM explog.stream s
    JOIN explog.meta c ON c.key = 'min_client'
    JOIN explog.meta t ON t.key = 'tier'
    LEFT JOIN explog.origin o ON o.stream = s.stream;
