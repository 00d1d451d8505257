-- Indexes by use and by time for memory that is recalled without a query, so that no prompt waits for a scan of all
-- facts.

CREATE INDEX usage_counted ON usage (access_count, seq);
CREATE INDEX usage_latest ON usage (last_accessed, seq);
CREATE INDEX facts_set ON facts (user_id, channel, salience_at, seq)
  WHERE retired_at IS NULL AND superseded_by IS NULL;
CREATE INDEX facts_pinned ON facts (user_id, channel)
  WHERE pinned AND retired_at IS NULL AND superseded_by IS NULL;
CREATE INDEX entities_set ON entities (user_id, channel, salience_at, seq) WHERE retired_at IS NULL;
CREATE INDEX entities_pinned ON entities (user_id, channel) WHERE pinned AND retired_at IS NULL;
