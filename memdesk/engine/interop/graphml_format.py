"""Export of entities and their relations as GraphML 1.0 (graphml.graphdrawing.org), for programs that draw graphs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from memdesk.engine.interop.exporting import ExportSelection, current_records, iso, own_fields
from memdesk.engine.interop.reading import Row
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.interop import ExportFormat
from memdesk.model.message import message

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE = {
    "name": "string",
    "type": "string",
    "description": "string",
    "aliases": "string",
    "channel": "string",
    "salience": "double",
    "created_at": "string",
    "properties": "string",
}
_EDGE = {
    "type": "string",
    "channel": "string",
    "confidence": "double",
    "created_at": "string",
    "properties": "string",
}
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot contain, not even escaped."""


class GraphMLOut:
    """Directed graph: one node per entity and one edge per relation between two entities, with their fields."""

    about = ExportFormat(
        name="graphml",
        says=message("GraphML, for Gephi, yEd and networkx"),
        suffix=".graphml",
        comes_back=False,
        holds=("entities", "aliases", "relations"),
        leaves=message(
            "It is a drawing of entities: facts, conversations and files stay, and it does not come back."
        ),
    )

    def write(self, wanted: ExportSelection, target: Path) -> Counter[str]:
        nodes = {row["id"]: row for row in _nodes(wanted)}
        edges = [row for row in _edges(wanted) if row["source"] in nodes and row["target"] in nodes]
        with target.open("w", encoding="utf-8") as file:
            drawing = _Drawing(XMLGenerator(file, "utf-8", short_empty_elements=True))
            drawing.graph(nodes.values(), edges)
        return Counter(entities=len(nodes), relations=len(edges))


class _Drawing:
    """Writer of the XML document."""

    def __init__(self, xml: XMLGenerator) -> None:
        self.xml = xml

    def graph(self, nodes: Any, edges: list[Row]) -> None:
        self.xml.startDocument()
        self._open("graphml", xmlns=_NAMESPACE)
        for what, keys in (("node", _NODE), ("edge", _EDGE)):
            for name, type in keys.items():
                self._open("key", id=f"{what}_{name}", **{"for": what, "attr.name": name, "attr.type": type})
                self._close("key")
        self._open("graph", id="memory", edgedefault="directed")
        for row in nodes:
            self._element("node", _NODE, row, id=row["id"])
        for row in edges:
            self._element("edge", _EDGE, row, id=row["id"], source=row["source"], target=row["target"])
        self._close("graph")
        self._close("graphml")
        self.xml.endDocument()

    def _element(self, what: str, keys: dict[str, str], row: Row, **attributes: str) -> None:
        self._open(what, **attributes)
        for name in keys:
            if row[name] not in (None, ""):
                self._open("data", key=f"{what}_{name}")
                self.xml.characters(_NO_XML.sub("\ufffd", str(row[name])))
                self._close("data")
        self._close(what)

    def _open(self, name: str, **attributes: str) -> None:
        sound = {key: _NO_XML.sub("\ufffd", value) for key, value in attributes.items()}
        self.xml.startElement(name, AttributesImpl(sound))

    def _close(self, name: str) -> None:
        self.xml.endElement(name)
        self.xml.ignorableWhitespace("\n")


def _nodes(wanted: ExportSelection) -> Iterator[Row]:
    aliases: dict[str, list[str]] = {}
    for alias in current_records(wanted, ALIAS):
        aliases.setdefault(alias.entity_id, []).append(alias.name)
    for each in current_records(wanted, ENTITY):
        yield _row(each, _NODE, aliases="; ".join(aliases.get(each.id, [])))


def _edges(wanted: ExportSelection) -> Iterator[Row]:
    for each in current_records(wanted, RELATION):
        yield _row(each, _EDGE, source=each.source_id, target=each.target_id)


def _row(record: Any, keys: dict[str, str], **others: str) -> Row:
    own = {"created_at": iso(record.created_at), "properties": _properties(record.properties)} | others
    return {"id": record.id} | {name: getattr(record, name, "") for name in keys} | own


def _properties(text: str) -> str:
    own = own_fields(text)
    return json.dumps(own, ensure_ascii=False) if own else ""


GRAPHML_OUT = GraphMLOut()
