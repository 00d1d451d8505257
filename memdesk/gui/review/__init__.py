"""Review inbox: the queue, both sides of a question with their evidence, and the effect of each answer."""
