-- evidence: counts by context, what `recommend` reads; mean gains as factors.
CREATE TEMP VIEW evidence AS
SELECT family, strategy, backend, arch, kernel_type, dtype, bottleneck,
       nullif(size, -1) AS size,        -- log2 of the product of the shape
       nullif(latency, -99) AS latency, -- log2 of the microseconds before the change
       state, level, source, quarter,
       success + neutral + failure AS n, success, neutral, failure, broken,
       CASE WHEN gain_n > 0 THEN exp(gain_sum / 1e4 / gain_n * ln(2)) END AS mean_gain,  -- geometric mean of successes
       CASE WHEN loss_n > 0 THEN exp(loss_sum / 1e4 / loss_n * ln(2)) END AS mean_loss   -- geometric mean of failures
  FROM (SELECT family, cell_part(key, 'strategy') AS strategy, cell_part(key, 'backend') AS backend,
               cell_part(key, 'arch') AS arch, cell_part(key, 'kernel_type') AS kernel_type,
               cell_part(key, 'dtype') AS dtype, cell_part(key, 'bottleneck') AS bottleneck,
               cell_part(key, 'size') AS size, cell_part(key, 'latency') AS latency, cell_part(key, 'state') AS state,
               cell_part(key, 'level') AS level, cell_part(key, 'source') AS source, cell_part(key, 'quarter') AS quarter,
               cell_count(counts, 'success') AS success, cell_count(counts, 'neutral') AS neutral,
               cell_count(counts, 'failure') AS failure, cell_count(counts, 'broken') AS broken,
               cell_count(counts, 'gain_n') AS gain_n, cell_count(counts, 'gain_sum') AS gain_sum,
               cell_count(counts, 'loss_n') AS loss_n, cell_count(counts, 'loss_sum') AS loss_sum
          FROM cell WHERE grain IN (0, 3) AND cell_part(key, 'mirrored') = 0);
