"""The parts of the settings panel: how settings are grouped and named, and one setting drawn from its type."""
