"""Parts of the scratchpad panel: the places with working memory, their keys with the time left, and one key."""
