"""Fields of a message that the bridge needs: to match answers, and for the HTTP headers."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from typing import Any

from memdesk.model.errors import MemDeskError

PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR = -32700, -32600, -32603
"""JSON-RPC 2.0, section 5.1."""
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
"""Key under which every request carries its revision, without a handshake, since revision 2026-07-28."""
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_ID_BYTES = 1000
_ID = rb'"id"\s*:\s*(-?\d{1,15}|"[ !#-\[\]-~]*")'
_ID_FIRST = re.compile(rb'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*' + _ID + rb"\s*[,}]")
_ID_LAST = re.compile(
    rb'[\]}]\s*(?:,\s*"jsonrpc"\s*:\s*"[^"\\]*"\s*)?,\s*'
    + _ID
    + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"[^"\\]*"\s*)?\}\s*$'
)
_PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """Message on one line. id: None for a notification. method: "" for anything but a request, such as an
    answer or a batch."""

    line: bytes
    id: str | int | None = None
    method: str = ""
    params: dict[str, Any]

    @property
    def cancels(self) -> str | int | None:
        """Id of the request that this message cancels; None for other messages."""
        return self.params.get("requestId") if self.method == "notifications/cancelled" else None

    def headers(self, agreed: str) -> dict[str, str]:
        """Return the headers of streamable HTTP. agreed: the revision of the handshake, "" before it."""
        common = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        meta = self.params.get("_meta")
        version = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return common | ({"mcp-protocol-version": agreed} if agreed else {})
        name = self.params.get(_NAMED_BY.get(self.method, ""))
        told = {"mcp-protocol-version": version, "mcp-method": self.method}
        told |= {"mcp-name": name} if isinstance(name, str) else {}
        return common | {header: _header(value) for header, value in told.items()}


def message(line: bytes) -> Message:
    """Read a line. Raises ValueError for text that is not JSON, or is nested too deep."""
    try:
        said = json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not isinstance(said, dict):
        return Message(line=line, params={})
    id, method, params = said.get("id"), said.get("method"), said.get("params")
    return Message(
        line=line,
        id=id if isinstance(id, str | int) else None,
        method=method if isinstance(method, str) else "",
        params=params if isinstance(params, dict) else {},
    )


def id_of(line: bytes) -> str | int | None:
    """Return the id of a request that is not parsed, found at its beginning or its end, where clients write
    it."""
    found = _ID_FIRST.match(line[:_ID_BYTES]) or _ID_LAST.search(line[-_ID_BYTES:])
    id: str | int | None = None if found is None else json.loads(found[1])
    return id


def failure(id: str | int | None, code: int, wrong: MemDeskError) -> bytes:
    """Return an error of the desk as the answer to a request."""
    error = {"code": code, "message": f"{wrong.says} {wrong.next}".rstrip(), "data": {"code": wrong.code}}
    return json.dumps({"jsonrpc": "2.0", "id": id, "error": error}).encode()


def _header(value: str) -> str:
    """Return a value for a header: Base64 between marks where it is not plain ASCII (MCP 2026-07-28)."""
    if _PLAIN.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode(errors='replace')).decode()}?="
