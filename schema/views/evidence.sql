-- evidence: counts by context, what `recommend` reads; mean gains as factors.
CREATE TEMP VIEW evidence AS
SELECT family, strategy, backend, arch, kernel_type, dtype, bottleneck,
       nullif(size, -1) AS size,        -- log2 of the product of the shape
       nullif(latency, -99) AS latency, -- log2 of the microseconds before the change
       state,
       level,                           -- as in experience; in_process where it was measured and tagged in-process
       source, quarter,
       success + neutral + failure AS n, success, neutral, failure, broken,
       CASE WHEN gain_n > 0 THEN exp(gain_sum / 1e4 / gain_n * ln(2)) END AS mean_gain,  -- geometric mean of successes
       CASE WHEN loss_n > 0 THEN exp(loss_sum / 1e4 / loss_n * ln(2)) END AS mean_loss   -- geometric mean of failures
  FROM (SELECT c.family, r.* FROM cell c, cell_row(c.first, c.cells) r WHERE c.grain IN (0, 3) AND r.mirrored = 0);
