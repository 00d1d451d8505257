"""Service of a desk: the socket, the routes, the change feed and the background work. The only package that
serves HTTP."""
