"""Context window of an agent: policies that keep it short without losing a word, and the prompt context it is given."""
