-- Indexes for counting a table's filter values without reading every record.

CREATE INDEX facts_category ON facts (user_id, category);
CREATE INDEX facts_source ON facts (user_id, source);
CREATE INDEX entities_type ON entities (user_id, type);
