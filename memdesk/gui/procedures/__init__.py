"""Parts of the tools and strategies panel: success of each, details of one, its calls, and its use by day."""
