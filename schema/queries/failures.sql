-- What failed and why, most frequent first (:family and :arch narrow it).
SELECT family, strategy, arch, bottleneck, CASE WHEN cause = '' THEN 'regression' ELSE cause END AS cause,
       count(*) AS n, round(min(speedup), 3) AS worst
  FROM experience
 WHERE outcome = 'failure' AND (:family IS NULL OR family = :family) AND (:arch IS NULL OR arch = :arch)
 GROUP BY 1, 2, 3, 4, 5 ORDER BY n DESC, 1, 2, 3, 4, 5;
