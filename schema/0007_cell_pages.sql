-- Version 7: cells stand in pages, so that a recommendation steps through few rows and an entry changes few pages. Cells
-- are a projection: the program fills them from the log.
-- A record whose kernel's state or profile is known stands at three grains, so that what a recommendation reads stays
-- bounded: it takes the finest grain that has few enough cells.
DROP TABLE cell;
CREATE TABLE cell (
  family TEXT NOT NULL,
  grain  INTEGER NOT NULL CHECK (grain BETWEEN 0 AND 3),  -- of the state: 0 steps of one, 1 steps of three, 2 none;
                                                          -- 3 a record without state, size and latency: of every grain
  first  BLOB NOT NULL,  -- the key of the page's first cell
  cells  BLOB NOT NULL,  -- the cells up to the next page: FROM cell c, cell_row(c.first, c.cells) gives a row each with
                         -- strategy, backend, arch, kernel_type, dtype, bottleneck, size and latency (log2, in steps of
                         -- three at grain 1 and 2), state, level, origin, source, quarter (year * 4 + quarter), mirrored
                         -- (1: two timings read backwards), success, neutral, failure, broken (failures that did not run
                         -- or were wrong), gain_n, gain_sum (log2 * 10^4 of successes), loss_n, loss_sum (of failures),
                         -- first_rid, last_rid (its oldest and newest record)
  PRIMARY KEY (family, grain, first)
) STRICT, WITHOUT ROWID;
