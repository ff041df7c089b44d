-- The cards that --arch knows: arch, multiprocessors, memory, bandwidth and rates in TFLOP/s (:arch narrows it).
SELECT name, arch, multiprocessors AS SMs, memory_gb AS GB, dram_gb_s AS GB_s, fp64, fp32, tf32, f16, fp8, int8, source
  FROM card WHERE :arch IS NULL OR arch = :arch;
