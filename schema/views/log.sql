-- log: every event as written, also those that do not count.
CREATE TEMP VIEW log AS
SELECT e.rid AS rid, lower(hex(o.origin)) AS origin, e.rid & 1099511627775 AS seq,
       lower(hex(e.id)) AS id,
       CASE e.kind WHEN 1 THEN 'experience' WHEN 2 THEN 'measurement' WHEN 3 THEN 'retract' WHEN 4 THEN 'replace'
                   WHEN 5 THEN 'strategy-alias' WHEN 6 THEN 'device' WHEN 7 THEN 'verdict'
                   WHEN 8 THEN 'redact' WHEN 9 THEN 'configurations' ELSE e.kind END AS kind,
       e.version AS version, strftime('%Y-%m-%dT%H:%M:%SZ', e.at / 1000, 'unixepoch') AS at,
       (SELECT min(reason) FROM retraction r WHERE r.rid = e.rid) AS retracted,  -- why it does not count, or NULL
       e.body AS body
  FROM event e JOIN origin o ON o.no = e.rid >> 40;
