-- Indexes that return pages of facts, of the timeline and of pinned memory in order up to their limit, instead of
-- sorting all memory of a user or a channel. `facts_listed` ends with the search number, as every index does, and
-- counts a channel's current facts without reading any.

CREATE INDEX facts_listed ON facts (user_id, channel, retired_at, superseded_by);
CREATE INDEX goals_time ON goals (user_id, created_at);
CREATE INDEX strategies_time ON strategies (user_id, created_at);
DROP INDEX facts_pinned;
CREATE INDEX facts_pinned ON facts (user_id, channel, salience_at, seq)
  WHERE pinned AND retired_at IS NULL AND superseded_by IS NULL;
DROP INDEX entities_pinned;
CREATE INDEX entities_pinned ON entities (user_id, channel, salience_at, seq) WHERE pinned AND retired_at IS NULL;
