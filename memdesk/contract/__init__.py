"""Every call that exists: what goes in, what comes out. No I/O here, so service and client stand on it alike."""
