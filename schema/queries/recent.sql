-- The newest records (:limit, default 20).
SELECT id, at, kernel_type, backend, arch, strategy, outcome, speedup
  FROM experience ORDER BY at_ms DESC, rid DESC LIMIT coalesce(CAST(:limit AS INTEGER), 20);
