-- Claim hashes of facts outside recall; `searchable` has those of the others. Every writer looks up a newly learned
-- claim among the quarantined ones.

CREATE TABLE past_claims (seq INTEGER PRIMARY KEY, claim_hash TEXT NOT NULL) STRICT;
CREATE INDEX past_claims_hash ON past_claims (claim_hash);
