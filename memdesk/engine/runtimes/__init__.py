"""Runtimes of agents: the events of their sessions, and the projects they work on."""
