"""Handlers of all calls: one file per resource, one line from endpoint to verb."""
