CREATE TABLE upkeep (next_seq INTEGER NOT NULL, vectors_behind INTEGER NOT NULL) STRICT;
INSERT INTO upkeep SELECT 1 + max(
  ifnull((SELECT max(seq) FROM records), 0), ifnull((SELECT max(seq) FROM passages), 0),
  ifnull((SELECT max(seq) FROM recalled), 0),
  ifnull((SELECT max(max(ifnull(before ->> 'seq', 0), ifnull(after ->> 'seq', 0))) FROM edits), 0)), 1;
