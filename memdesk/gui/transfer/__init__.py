"""Memory coming in and going out: choosing a source, seeing what would come, and following it until it is there."""
