"""The scratchpad panel's parts: who holds working memory, its keys with the time they have left, and one key whole."""
