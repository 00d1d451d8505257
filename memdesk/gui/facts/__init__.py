"""Parts of the facts panel: columns, filters, the selection, and the preview of an action on many memories."""
