-- Indexes for the counts of status and the list of facts, so that neither reads the rows.

CREATE INDEX turns_current ON turns (channel) WHERE retired_at IS NULL;
CREATE INDEX facts_current ON facts (user_id, channel, category)
  WHERE retired_at IS NULL AND superseded_by IS NULL;
