"""The context window of an agent: kept short by a policy without losing a word, and told what to have in mind."""
