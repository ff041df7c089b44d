-- Strategies by how often they helped, with the median gain of those that did (:family narrows it).
SELECT strategy, count(*) AS n, sum(outcome = 'success') AS success,
       round(avg(outcome = 'success'), 3) AS rate,
       round(median(CASE WHEN outcome = 'success' THEN speedup END), 3) AS median_gain
  FROM experience WHERE (:family IS NULL OR family = :family) AND strategy <> ''
 GROUP BY strategy ORDER BY rate DESC, n DESC, strategy;
