"""Words that steer an agent, by what they do, one table a language."""
