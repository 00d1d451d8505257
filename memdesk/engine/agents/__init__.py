"""Agents: their tokens and grants, and what one may do to the memory of another."""
