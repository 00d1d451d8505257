"""The review inbox: the queue, both sides of a question with their evidence, and what each answer would do."""
