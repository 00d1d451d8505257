"""Agents: who signs with a token, and what each may do."""
