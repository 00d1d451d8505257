"""Questions of agents asked again: the effect of a change on them, and questions that are kept as tests."""
