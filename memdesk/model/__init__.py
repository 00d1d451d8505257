"""Frozen typed records for the domain's terms, and one hierarchy of errors. Imports no other memdesk package."""
