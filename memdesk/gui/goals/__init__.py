"""Parts of the goals panel: the tree, the detail view of one goal, and the forms that change it."""
