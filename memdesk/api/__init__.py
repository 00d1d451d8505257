"""Declaration of every call with its request and answer types. It does no I/O, so service and client share
it."""
