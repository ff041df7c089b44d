-- Which strategies keep what --expect said of them: kept is the same way and at least half as far; mean error in percent points.
WITH promise AS (
  SELECT x.strategy AS strategy, p.value AS said,
         CASE p.key
           WHEN 'latency_ms' THEN 100.0 * x.latency_after_ms / x.latency_before_ms - 100
           ELSE 100.0 * (SELECT a.value FROM json_each(x.metrics_after) a WHERE a.key = p.key)
                      / (SELECT b.value FROM json_each(x.metrics_before) b WHERE b.key = p.key) - 100
         END AS got
    FROM experience x, json_each(x.body, '$.expected') p
   WHERE x.body LIKE '%"expected":{%' AND p.type IN ('integer', 'real') AND p.value <> 0)
SELECT coalesce(nullif(strategy, ''), 'none') AS strategy, count(*) AS n,
       sum(got * said > 0 AND abs(got) >= abs(said) / 2.0) AS kept,
       count(*) - sum(got * said > 0 AND abs(got) >= abs(said) / 2.0) AS missed,
       round(avg(abs(got - said)), 1) AS mean_error
  FROM promise
 WHERE got IS NOT NULL
 GROUP BY 1 ORDER BY n DESC, 1;
