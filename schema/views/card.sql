-- card: what data sheets say of cards, one row each; rates in TFLOP/s, dense, NULL where there is none.
CREATE TEMP VIEW card AS
SELECT json_extract(value, '$.name')            AS name,
       json_extract(value, '$.arch')            AS arch,
       json_extract(value, '$.multiprocessors') AS multiprocessors,
       json_extract(value, '$.memory_gb')       AS memory_gb,
       json_extract(value, '$.dram_gb_s')       AS dram_gb_s,
       json_extract(value, '$.fp64')            AS fp64,             -- CUDA cores
       json_extract(value, '$.fp32')            AS fp32,
       json_extract(value, '$.tf32')            AS tf32,             -- tensor cores, adding up in fp32; int8 in int32
       json_extract(value, '$.f16')             AS f16,              -- bf16 too
       json_extract(value, '$.fp8')             AS fp8,
       json_extract(value, '$.int8')            AS int8,
       json_extract(value, '$.source')          AS source            -- the data sheet
  FROM json_each(card_list());
