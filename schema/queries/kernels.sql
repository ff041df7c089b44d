-- Kernels with their records, success rate and best speed-up.
SELECT kernel_type, backend, arch, count(*) AS n, round(avg(outcome = 'success'), 3) AS rate,
       round(max(speedup), 3) AS best, round(geomean(speedup), 3) AS geomean
  FROM experience GROUP BY kernel_type, backend, arch ORDER BY n DESC, kernel_type, backend, arch;
