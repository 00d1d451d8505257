"""Models: what turns text into vectors, answers prompts and judges hits, and what they cost. Offline first."""
