// tune: BLOCK 128 256
// tune where: BLOCK > 64
