"""The window: a client of the service like any other, and the only room that speaks Qt."""
