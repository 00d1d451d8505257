"""Every call's answer: one file a resource, one line from endpoint to verb."""
