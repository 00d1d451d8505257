"""Panel Secrets."""
