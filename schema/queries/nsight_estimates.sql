-- Nsight Compute's estimated savings beside what the change then saved, by its rule: medians, percent of the time.
SELECT substr(m.key, 17) AS rule, count(*) AS n, round(median(m.value), 1) AS estimated,
       round(median(100 * (1 - 1 / x.speedup)), 1) AS saved,
       round(100.0 * sum(100 * (1 - 1 / x.speedup) >= m.value) / count(*)) AS reached_pct
  FROM experience x, json_each(x.metrics_before) m
 WHERE x.body LIKE '%nsight_estimate.%' AND m.key LIKE 'nsight_estimate.%' AND x.speedup IS NOT NULL
 GROUP BY 1 ORDER BY n DESC, 1;
