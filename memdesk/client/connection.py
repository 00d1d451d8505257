"""Settings of httpx for a desk's socket, and its errors as ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from memdesk.files.places import Desk
from memdesk.model.errors import ServiceAway
from memdesk.model.message import message

IN_FLIGHT = 16
"""Limit of simultaneous connections, including the feed's; more would slow each other down on one socket."""
LIMITS = httpx.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
NO_TLS = False
"""Value for httpx's `verify`: a local socket needs no certificates, and reading them takes 30 ms for each
client."""


@contextmanager
def reached(desk: Desk) -> Iterator[None]:
    """Turn connection errors into ServiceAway."""
    try:
        yield
    except httpx.ConnectError as away:
        raise ServiceAway(message("No service answers on the desk {folder}.", folder=desk.folder)) from away
    except httpx.TimeoutException as late:
        raise ServiceAway(
            message("The service of {folder} does not answer in time.", folder=desk.folder)
        ) from late
    except httpx.TransportError as gone:
        raise ServiceAway(
            message("The service of {folder} went away before it answered.", folder=desk.folder),
            next=message("What it had acknowledged is kept; look whether this last call was, and try again."),
        ) from gone
