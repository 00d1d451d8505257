"""Import and export of memory: one module per format, one entry point for imports and one for exports."""
