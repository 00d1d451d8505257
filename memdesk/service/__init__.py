"""The desk's door: the socket, the routes, the feed and the clock. The only room that speaks HTTP as a server."""
