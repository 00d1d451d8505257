"""The goals panel's parts: the tree, one goal beside it, and the forms that change it."""
