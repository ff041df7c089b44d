-- experience: one row a record that counts, columns named as the fields; rid is in the order of arrival.
CREATE TEMP VIEW experience AS
SELECT e.rid                                        AS rid,
       lower(substr(hex(e.id), 1, 8) || '-' || substr(hex(e.id), 9, 4) || '-' || substr(hex(e.id), 13, 4) || '-' ||
             substr(hex(e.id), 17, 4) || '-' || substr(hex(e.id), 21)) AS id,
       strftime('%Y-%m-%dT%H:%M:%SZ', e.at / 1000, 'unixepoch') AS at,  -- UTC
       e.at                                         AS at_ms,              -- Unix time in milliseconds
       family(a.kernel_type)                        AS family,             -- kernel family: gemm, attention, ...
       a.kernel_type                                AS kernel_type,
       nullif(a.kernel, '')                         AS kernel,
       a.backend                                    AS backend,
       a.arch                                       AS arch,
       a.gpu                                        AS gpu,
       a.dtype                                      AS dtype,
       json_extract(e.body, '$.shape')              AS shape,              -- JSON object of numbers
       a.bottleneck                                 AS bottleneck,
       json_extract(e.body, '$.stall')              AS stall,
       a.strategy                                   AS strategy,
       json_extract(e.body, '$.strategy_text')      AS strategy_text,      -- the words it was read from
       json_extract(e.body, '$.params')             AS params,             -- JSON object
       json_extract(e.body, '$.hypothesis')         AS hypothesis,
       json_extract(e.body, '$.state')              AS state,              -- JSON object of numbers
       json_extract(e.body, '$.metrics_before')     AS metrics_before,     -- JSON object of numbers
       json_extract(e.body, '$.metrics_after')      AS metrics_after,
       json_extract(e.body, '$.latency_before_ms')  AS latency_before_ms,
       a.latency_after_ms                           AS latency_after_ms,
       a.speedup                                    AS speedup,            -- latency before / after
       json_extract(e.body, '$.speedup_lo')         AS speedup_lo,
       json_extract(e.body, '$.speedup_hi')         AS speedup_hi,
       json_extract(e.body, '$.correctness')        AS correctness,
       json_extract(e.body, '$.decision')           AS decision,           -- keep, revert, crash
       a.outcome                                    AS outcome,            -- success, neutral, failure
       a.cause                                      AS cause,
       a.level                                      AS level,              -- claimed, imported, measured, replicated
       json_extract(e.body, '$.campaign')           AS campaign,
       json_extract(e.body, '$.iteration')          AS iteration,
       json_extract(e.body, '$.parent')             AS parent,
       json_extract(e.body, '$.source_before')      AS source_before,
       json_extract(e.body, '$.source_after')       AS source_after,
       json_extract(e.body, '$.code_before')        AS code_before,        -- hashes of the machine code
       json_extract(e.body, '$.code_after')         AS code_after,
       json_extract(e.body, '$.commit')             AS "commit",           -- of the source's git work tree; "-dirty" where changed
       json_extract(e.body, '$.expected')           AS expected,           -- JSON object: counters, and how they should move in percent
       json_extract(e.body, '$.toolkit')            AS toolkit,
       json_extract(e.body, '$.driver')             AS driver,
       json_extract(e.body, '$.condition')          AS condition,
       json_extract(e.body, '$.tags')               AS tags,               -- JSON list
       json_extract(e.body, '$.notes')              AS notes,
       json_extract(e.body, '$.source')             AS source,
       json_extract(e.body, '$.idempotency_key')    AS idempotency_key,
       e.body                                       AS body                -- the record as stored
  FROM attempt a JOIN event e ON e.rid = a.rid;
