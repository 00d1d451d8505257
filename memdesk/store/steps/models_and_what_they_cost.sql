-- Dimension of the vectors in use, until now that of the bundled embedder, and the ledger of tokens.

ALTER TABLE embedder ADD COLUMN dimension INTEGER NOT NULL DEFAULT 0;
UPDATE embedder SET dimension = 256;
CREATE TABLE spending (
  day TEXT NOT NULL, role TEXT NOT NULL, model TEXT NOT NULL, purpose TEXT NOT NULL, calls INTEGER NOT NULL,
  failures INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, guessed INTEGER NOT NULL,
  PRIMARY KEY (day, role, model, purpose)) STRICT, WITHOUT ROWID;
