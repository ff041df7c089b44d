-- Version 5: the newest records come first, by their time and not by the order in which they arrived; cells know the
-- kernel's type and element type, its size smoothly, and how long it took. Cells are a projection: the program fills them
-- from the log.
-- A record whose kernel's state or profile is known stands at three grains, so that what a recommendation reads stays
-- bounded: it takes the finest grain that has few enough cells.
DROP TABLE cell;
CREATE TABLE cell (
  family     TEXT NOT NULL,
  grain      INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),  -- of `state`: 0 steps of one, 1 steps of three, 2 none;
                                                              -- 3 a record without state, size and latency: of every grain
  strategy   TEXT NOT NULL,
  backend    TEXT NOT NULL,
  arch       TEXT NOT NULL,
  kernel_type TEXT NOT NULL,
  dtype      TEXT NOT NULL,     -- of the elements, empty where it is not known
  bottleneck TEXT NOT NULL,
  size       INTEGER NOT NULL,  -- log2 of the product of the shape, -1 unknown; in steps of three at grain 1 and 2
  latency    INTEGER NOT NULL,  -- log2 of the microseconds before the change, -99 unknown; in steps of three likewise
  state      TEXT NOT NULL,     -- features of the kernel before the change (log2 of values), rounded: "block_x=7;unroll=2"
  level      TEXT NOT NULL,
  origin     INTEGER NOT NULL,
  source     TEXT NOT NULL,     -- where the figures are published, or empty
  quarter    INTEGER NOT NULL,  -- year * 4 + quarter of the event's time
  mirrored   INTEGER NOT NULL CHECK (mirrored IN (0, 1)),  -- 1: the same pair of timings read backwards
  success    INTEGER NOT NULL,
  neutral    INTEGER NOT NULL,
  failure    INTEGER NOT NULL,
  broken     INTEGER NOT NULL,  -- failures that did not run or were wrong (a cause other than regression)
  gain_n     INTEGER NOT NULL,  -- successes with a speed-up
  gain_sum   INTEGER NOT NULL,  -- log2(speedup) * 10^4
  loss_n     INTEGER NOT NULL,  -- failures with a speed-up
  loss_sum   INTEGER NOT NULL,
  first_rid  INTEGER NOT NULL,  -- oldest and newest record, shown as evidence
  last_rid   INTEGER NOT NULL,
  PRIMARY KEY (family, grain, strategy, backend, arch, kernel_type, dtype, bottleneck, size, latency, state,
               level, origin, source, quarter, mirrored)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_at ON event(at);
