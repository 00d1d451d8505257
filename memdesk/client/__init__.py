"""The other end of the socket: call(endpoint, ask), the change feed, and finding or starting the service."""
