-- Version 8: a record that says `measured` or `replicated` and is tagged `in-process` counts with the level `in_process`,
-- because nothing but the candidate's own process saw its times. Cells are a projection: the program fills them from the
-- log.
DELETE FROM cell;
