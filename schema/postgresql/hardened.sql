-- The hardened tier, on top of tables.sql and in the same transaction: nobody but explog_owner can write to a table. Users
-- call functions that check who they are; they read only the streams that they are members of. Needs a role that may
-- create roles, and PL/pgSQL.
--
-- The functions run with the rights of explog_owner (SECURITY DEFINER), so each sets its search_path and asks
-- session_user, which SET ROLE does not change, who is there.
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'explog_owner') THEN CREATE ROLE explog_owner NOLOGIN; END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'explog_user')  THEN CREATE ROLE explog_user  NOLOGIN; END IF;
END $$;
GRANT explog_owner TO CURRENT_USER;  -- who runs this administers the log
GRANT explog_user TO explog_owner WITH ADMIN OPTION;  -- moderators pass it on, through set_member

CREATE TABLE IF NOT EXISTS explog.member (
  stream    text NOT NULL REFERENCES explog.stream,
  role      name NOT NULL,                  -- a login, or a group of them
  can_push  boolean NOT NULL DEFAULT true,  -- false: may only read
  moderator boolean NOT NULL DEFAULT false, -- may say who is a member, and push on the events of others that were signed by them
  PRIMARY KEY (stream, role)
);

ALTER SCHEMA explog OWNER TO explog_owner;
ALTER TABLE explog.meta OWNER TO explog_owner;
ALTER TABLE explog.stream OWNER TO explog_owner;
ALTER TABLE explog.member OWNER TO explog_owner;
ALTER TABLE explog.origin OWNER TO explog_owner;
ALTER TABLE explog.batch OWNER TO explog_owner;
ALTER TABLE explog.event OWNER TO explog_owner;
ALTER VIEW explog.welcome OWNER TO explog_owner;
SET LOCAL ROLE explog_owner;

-- What the caller is in a stream: no row for a stranger. A login can be a member by itself and through groups;
-- to_regrole is NULL for a role that was dropped.
CREATE OR REPLACE FUNCTION explog.rights(p_stream text, OUT can_push boolean, OUT moderator boolean) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT bool_or(m.can_push), bool_or(m.moderator)
    FROM explog.member m
   WHERE m.stream = p_stream AND pg_has_role(session_user, to_regrole(quote_ident(m.role::text)), 'MEMBER')
  HAVING count(*) > 0
$$;

CREATE OR REPLACE FUNCTION explog.my_streams() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT m.stream FROM explog.member m WHERE pg_has_role(session_user, to_regrole(quote_ident(m.role::text)), 'MEMBER')
$$;

-- As in tables.sql, but for members alone. It reads with the rights of explog_owner, whom no policy below concerns.
CREATE OR REPLACE VIEW explog.welcome WITH (security_barrier) AS
  SELECT s.stream, c.value AS min_client, t.value AS tier, s.epoch, s.head_pos, r.can_push, r.moderator,
         o.origin, o.head_seq, o.head_hash
    FROM explog.stream s
    JOIN explog.meta c ON c.key = 'min_client'
    JOIN explog.meta t ON t.key = 'tier'
   CROSS JOIN LATERAL explog.rights(s.stream) r
    LEFT JOIN explog.origin o ON o.stream = s.stream;

-- Ties an origin to the caller's role and to its key, for good.
CREATE OR REPLACE FUNCTION explog.register_origin(p_stream text, p_origin uuid, p_pubkey bytea, p_label text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM explog.rights(p_stream) r WHERE r.can_push;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'your role may not push to stream %', p_stream USING ERRCODE = '42501';
  END IF;
  INSERT INTO explog.origin(stream, origin, owner, pubkey, label)
    VALUES (p_stream, p_origin, session_user, p_pubkey, p_label)
  ON CONFLICT (stream, origin) DO NOTHING;
END $$;

-- Appends batches of one origin that follow each other, with one commit. The server knows no Ed25519: readers check the
-- signatures. It checks whose origin it is, its key, that the batches continue what is here and each other, and sizes.
CREATE OR REPLACE FUNCTION explog.push(
  p_stream text, p_origin uuid, p_pubkey bytea, p_format integer,
  p_firsts bigint[], p_lasts bigint[], p_bytes bigint[], p_prevs bytea[], p_heads bytea[], p_sigs bytea[],
  p_ids uuid[], p_kinds smallint[], p_versions smallint[], p_ats bigint[], p_bodies bytea[], p_redacted bytea[],
  OUT stored bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  o     explog.origin%ROWTYPE;
  k     integer := cardinality(p_firsts);  -- batches
  n     integer := cardinality(p_bodies);  -- their events together
  may   record;
  head  bigint;
BEGIN
  IF k IS NULL OR n IS NULL OR k NOT BETWEEN 1 AND 64 OR n NOT BETWEEN k AND 64000
     OR ARRAY[cardinality(p_lasts), cardinality(p_bytes), cardinality(p_prevs), cardinality(p_heads), cardinality(p_sigs)]
        IS DISTINCT FROM ARRAY[k, k, k, k, k]
     OR ARRAY[cardinality(p_ids), cardinality(p_kinds), cardinality(p_versions), cardinality(p_ats), cardinality(p_redacted)]
        IS DISTINCT FROM ARRAY[n, n, n, n, n]
     OR p_lasts[k] - p_firsts[1] + 1 <> n THEN
    RAISE EXCEPTION 'the arrays of a push do not fit together' USING ERRCODE = '22023';
  END IF;
  FOR i IN 1..k LOOP
    IF p_lasts[i] - p_firsts[i] NOT BETWEEN 0 AND 999 OR p_bytes[i] NOT BETWEEN 0 AND 2097152
       OR (i > 1 AND (p_firsts[i] <> p_lasts[i - 1] + 1 OR p_prevs[i] <> p_heads[i - 1])) THEN
      RAISE EXCEPTION 'a batch has 1 to 1000 events of at most 2 MiB, and continues the one before' USING ERRCODE = '22023';
    END IF;
  END LOOP;
  SELECT * INTO may FROM explog.rights(p_stream);
  IF may.can_push IS NOT TRUE THEN
    RAISE EXCEPTION 'your role may not push to stream %', p_stream USING ERRCODE = '42501';
  END IF;
  SELECT * INTO o FROM explog.origin t WHERE t.stream = p_stream AND t.origin = p_origin FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the origin is not registered' USING ERRCODE = 'EXL01';
  ELSIF o.owner <> session_user AND NOT may.moderator THEN
    RAISE EXCEPTION 'the origin belongs to another role' USING ERRCODE = '42501';
  ELSIF o.pubkey <> p_pubkey THEN
    RAISE EXCEPTION 'the origin is registered under another key' USING ERRCODE = '42501';
  -- Batches that are here already, or that continue another history. Never ignored: the client compares heads.
  ELSIF o.head_seq <> p_firsts[1] - 1 OR o.head_hash <> p_prevs[1] THEN
    RAISE EXCEPTION 'the batch does not continue the head of its origin' USING ERRCODE = 'EXL01';
  END IF;
  -- The arrays go in step; as one unnest() in FROM they would be written to a temporary store first.
  INSERT INTO explog.event(stream, origin, seq, id, kind, version, at, body, redacted)
    SELECT p_stream, p_origin, generate_series(p_firsts[1], p_lasts[k]), unnest(p_ids), unnest(p_kinds),
           unnest(p_versions), unnest(p_ats), unnest(p_bodies), unnest(p_redacted);
  UPDATE explog.origin t SET head_seq = p_lasts[k], head_hash = p_heads[k]
    WHERE t.stream = p_stream AND t.origin = p_origin;
  -- The lock that all pushes to the stream share comes last, and the commit follows at once.
  UPDATE explog.stream s SET head_pos = s.head_pos + k WHERE s.stream = p_stream RETURNING s.head_pos INTO STRICT head;
  INSERT INTO explog.batch(stream, pos, origin, first_seq, last_seq, n_bytes, prev_hash, head_hash, sig, format, writer)
    SELECT p_stream, generate_series(head - k + 1, head), p_origin, unnest(p_firsts), unnest(p_lasts), unnest(p_bytes),
           unnest(p_prevs), unnest(p_heads), unnest(p_sigs), p_format, session_user;
  stored := k;
END $$;

-- Blanks bodies that their origin, or a moderator, wants forgotten. Others' events are left as they are; the answer is how
-- many were blanked. The digest keeps the chain whole: a wrong one would be noticed by every reader.
CREATE OR REPLACE FUNCTION explog.redact(p_stream text, p_origins uuid[], p_seqs bigint[], p_digests bytea[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  may record;
  n   bigint;
BEGIN
  SELECT * INTO may FROM explog.rights(p_stream);
  UPDATE explog.event e SET body = '\x', redacted = u.digest
    FROM unnest(p_origins, p_seqs, p_digests) AS u(origin, seq, digest)
   WHERE e.stream = p_stream AND e.origin = u.origin AND e.seq = u.seq AND e.redacted IS NULL
     AND (may.moderator OR may.can_push AND EXISTS (SELECT 1 FROM explog.origin o
            WHERE o.stream = p_stream AND o.origin = u.origin AND o.owner = session_user));
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- A moderator says who is a member, and as what: may a role read, push, moderate? Without the first it is none any more.
CREATE OR REPLACE FUNCTION explog.set_member(p_stream text, p_role name, p_can_read boolean, p_can_push boolean, p_moderator boolean)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM explog.rights(p_stream) r WHERE r.moderator;
  IF NOT FOUND THEN RAISE EXCEPTION 'only a moderator of stream % may do this', p_stream USING ERRCODE = '42501'; END IF;
  DELETE FROM explog.member m WHERE m.stream = p_stream AND m.role = p_role;
  IF NOT p_can_read THEN RETURN; END IF;
  INSERT INTO explog.member VALUES (p_stream, p_role, p_can_push, p_moderator);
  EXECUTE format('GRANT explog_user TO %I', p_role);
END $$;

-- A moderator hands an origin to another role: its user got a new login, or somebody else had registered it.
CREATE OR REPLACE FUNCTION explog.set_owner(p_stream text, p_origin uuid, p_role name) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM 1 FROM explog.rights(p_stream) r WHERE r.moderator;
  IF NOT FOUND THEN RAISE EXCEPTION 'only a moderator of stream % may do this', p_stream USING ERRCODE = '42501'; END IF;
  UPDATE explog.origin o SET owner = p_role WHERE o.stream = p_stream AND o.origin = p_origin;
END $$;

ALTER TABLE explog.stream ENABLE ROW LEVEL SECURITY;
ALTER TABLE explog.origin ENABLE ROW LEVEL SECURITY;
ALTER TABLE explog.batch  ENABLE ROW LEVEL SECURITY;
ALTER TABLE explog.event  ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS members_read ON explog.stream;
DROP POLICY IF EXISTS members_read ON explog.origin;
DROP POLICY IF EXISTS members_read ON explog.batch;
DROP POLICY IF EXISTS members_read ON explog.event;
CREATE POLICY members_read ON explog.stream FOR SELECT USING (stream IN (SELECT explog.my_streams()));
CREATE POLICY members_read ON explog.origin FOR SELECT USING (stream IN (SELECT explog.my_streams()));
CREATE POLICY members_read ON explog.batch  FOR SELECT USING (stream IN (SELECT explog.my_streams()));
CREATE POLICY members_read ON explog.event  FOR SELECT USING (stream IN (SELECT explog.my_streams()));

REVOKE ALL ON ALL TABLES IN SCHEMA explog FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA explog FROM PUBLIC;
GRANT USAGE ON SCHEMA explog TO explog_user;
GRANT SELECT ON explog.meta, explog.welcome, explog.stream, explog.origin, explog.batch, explog.event TO explog_user;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA explog TO explog_user;
RESET ROLE;
