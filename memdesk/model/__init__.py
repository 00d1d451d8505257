"""The field's words as frozen typed records, and one tree of errors. Imports nothing of ours."""
