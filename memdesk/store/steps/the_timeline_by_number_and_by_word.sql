-- Word index of event titles, for numbers from `titles_low` to before `titles_high`. Events are counted by blocks of
-- 4,096 numbers, and by user; recalls are indexed by their conversation.

CREATE INDEX recalls_conversation ON recalls (conversation_id, id) WHERE conversation_id IS NOT NULL;
CREATE VIRTUAL TABLE titles USING fts5 (words, content='', columnsize=0, detail=none, tokenize='ascii');
ALTER TABLE upkeep ADD COLUMN titles_low INTEGER NOT NULL DEFAULT 1;
ALTER TABLE upkeep ADD COLUMN titles_high INTEGER NOT NULL DEFAULT 1;
UPDATE upkeep SET titles_low = 1 + max(
  ifnull((SELECT max(id) FROM changes), 0), ifnull((SELECT max(id) FROM recalls), 0));
UPDATE upkeep SET titles_high = titles_low;
DROP TABLE rollup;
CREATE TABLE rollup (
  stretch INTEGER NOT NULL, hour INTEGER NOT NULL, op TEXT NOT NULL, layer TEXT NOT NULL, author TEXT NOT NULL,
  channel TEXT NOT NULL, user_id TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (stretch, hour, op, layer, author, channel, user_id)) STRICT, WITHOUT ROWID;
