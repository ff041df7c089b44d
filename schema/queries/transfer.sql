-- Does a strategy carry over between architectures? Success rates side by side, with the distance in generations.
WITH rate AS (
  SELECT family, strategy, arch, count(*) AS n, avg(outcome = 'success') AS p FROM experience GROUP BY 1, 2, 3
)
SELECT a.family, a.strategy, a.arch AS arch_a, b.arch AS arch_b, arch_distance(a.arch, b.arch) AS distance,
       a.n AS n_a, b.n AS n_b, round(a.p, 3) AS rate_a, round(b.p, 3) AS rate_b
  FROM rate a JOIN rate b ON a.family = b.family AND a.strategy = b.strategy AND a.arch < b.arch
 WHERE a.n >= 5 AND b.n >= 5 AND (:family IS NULL OR a.family = :family)
 ORDER BY abs(a.p - b.p) DESC, a.family, a.strategy, arch_a, arch_b;
