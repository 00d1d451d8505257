"""Memory goes out as folders of markdown and as a graph, as other programs read them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from memdesk.engine.engine import Engine
from memdesk.engine.interop import formats
from memdesk.engine.memory.remember import learn_fact, relate, upsert_entity
from memdesk.engine.workspace.day_files import entries_of
from memdesk.engine.workspace.layouts import layout_named, places_of
from memdesk.model.errors import BadAsk, Conflict, NotFound
from memdesk.model.interop import AskExportPreview
from memdesk.model.remember import NewEntity, NewFact, NewRelation
from tests.fixtures.intake.worlds import look, take
from tests.fixtures.interop.rich import RUNA, furnish, rows, send

FOLDERS = {"agenticx": "memory", "openclaw": "memory", "openlegion": "memory", "agnx": "daily"}
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def current(engine: Engine) -> set[str]:
    return {
        row["claim"]
        for row in rows(engine)["fact"]
        if row["retired_at"] is None and row["superseded_by"] is None
    }


def test_every_format_is_listed_once_and_says_what_comes_back() -> None:
    names = [row.name for row in formats.formats().rows]
    assert len(names) == len(set(names)) == 9
    assert {row.name for row in formats.formats().rows if not row.comes_back} == {"graphml"}


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_a_folder_of_markdown_holds_standing_files_facts_and_days(
    engine: Engine, tmp_path: Path, name: str
) -> None:
    furnish(engine, tmp_path)
    told = send(engine, f"markdown-{name}", tmp_path / "out")
    out, source = tmp_path / "out", tmp_path / "harbour"
    assert (out / "IDENTITY.md").read_bytes() == (source / "IDENTITY.md").read_bytes()
    memory = (out / "MEMORY.md").read_text()
    assert {line[2:] for line in memory.splitlines() if line.startswith("- ")} == current(engine)
    assert "## quay" in memory and "The gate is red" not in memory
    days = sorted(path.name for path in source.rglob("2*-*-*.md"))
    assert sorted(path.name for path in (out / FOLDERS[name]).iterdir()) == days
    for day in days:
        (was,) = source.rglob(day)
        before = [(entry.time, entry.text) for entry in entries_of(was.read_text())]
        after = [(entry.time, entry.text) for entry in entries_of((out / FOLDERS[name] / day).read_text())]
        assert sorted(text for _, text in after) == sorted(text for _, text in before)
    assert told["files"] == sum(path.is_file() for path in out.rglob("*"))


@pytest.mark.parametrize("name", ["agenticx", "openclaw"])
def test_the_folder_comes_back(engine: Engine, other: Engine, tmp_path: Path, name: str) -> None:
    for claim in ("Crane 4 works again since Monday", "The ferry leaves at 7 in the morning"):
        learn_fact(engine, NewFact(claim=claim, channel="quay"), author=RUNA)
    send(engine, f"markdown-{name}", tmp_path / "out")
    take(other, tmp_path / "out")
    assert current(other) == current(engine)


def test_the_folder_of_one_channel_holds_nothing_of_others(engine: Engine, tmp_path: Path) -> None:
    learn_fact(engine, NewFact(claim="Crane 4 is red", channel="quay"), author=RUNA)
    learn_fact(engine, NewFact(claim="Crane 5 is blue", channel="dock"), author=RUNA)
    send(engine, "markdown-agenticx", tmp_path / "out", channel="quay")
    assert (tmp_path / "out" / "MEMORY.md").read_text() == "# Memory\n\n## quay\n\n- Crane 4 is red\n"


def test_two_agents_files_of_one_name_both_go_out(engine: Engine, tmp_path: Path) -> None:
    for agent in ("Iris", "Forge"):
        home = tmp_path / agent
        home.mkdir()
        (home / "IDENTITY.md").write_text(f"# Identity\n\n- **Name:** {agent}\n")
        (home / "MEMORY.md").write_text("# Memory\n")
        take(engine, home)
    send(engine, "markdown-agenticx", tmp_path / "out")
    found = {path.read_text() for path in (tmp_path / "out").rglob("IDENTITY.md")}
    assert found == {(tmp_path / agent / "IDENTITY.md").read_text() for agent in ("Iris", "Forge")}


def test_files_of_workspaces_that_are_called_alike_all_go_out(engine: Engine, tmp_path: Path) -> None:
    for number in range(3):
        folder = tmp_path / f"{number}" / "harbour"
        folder.mkdir(parents=True)
        (folder / "SOUL.md").write_text(f"# Soul {number}\n")
        take(engine, folder)
    send(engine, "markdown-agenticx", tmp_path / "out")
    assert {path.read_text() for path in (tmp_path / "out").rglob("SOUL.md")} == {
        f"# Soul {number}\n" for number in range(3)
    }


def test_a_file_of_a_workspace_whose_name_has_no_letters_goes_into_a_folder_of_its_own(
    engine: Engine, tmp_path: Path
) -> None:
    for name in ("harbour", "★"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "SOUL.md").write_text(f"# Soul of {name}\n")
        take(engine, folder)
    send(engine, "markdown-agenticx", tmp_path / "out")
    (other,) = (tmp_path / "out" / "agents").iterdir()
    assert [path.name for path in other.iterdir()] == ["SOUL.md"]


def test_a_graph_names_every_entity_and_every_tie(engine: Engine, tmp_path: Path) -> None:
    furnish(engine, tmp_path)
    strange = NewEntity(name="Röntgen & <Söhne>", type="Organization", description='a "firm"', channel="quay")
    upsert_entity(engine, strange, author=RUNA)
    relate(
        engine,
        NewRelation(source="Ada", target="Röntgen & <Söhne>", type="WORKS_FOR", channel="quay"),
        author=RUNA,
    )
    told = send(engine, "graphml", tmp_path / "out.graphml")
    root = ElementTree.parse(tmp_path / "out.graphml").getroot()
    assert root.tag == f"{GRAPHML}graphml"
    keys = {key.get("id"): (key.get("for"), key.get("attr.name")) for key in root.iter(f"{GRAPHML}key")}
    (graph,) = root.iter(f"{GRAPHML}graph")
    assert graph.get("edgedefault") == "directed"
    nodes = {node.get("id"): data_of(node, keys) for node in graph.iter(f"{GRAPHML}node")}
    edges = [(edge, data_of(edge, keys)) for edge in graph.iter(f"{GRAPHML}edge")]
    assert (len(nodes), len(edges)) == (told["entities"], told["relations"])
    assert {node["name"] for node in nodes.values()} >= {"Ada", "Crane 4", "Röntgen & <Söhne>"}
    ada = next(node for node in nodes.values() if node["name"] == "Ada")
    assert (ada["aliases"], ada["properties"]) == ("the master", '{"phone": "12"}')
    ties = {
        (nodes[edge.get("source")]["name"], data["type"], nodes[edge.get("target")]["name"])
        for edge, data in edges
    }
    assert ties == {("Ada", "KNOWS", "Crane 4"), ("Ada", "WORKS_FOR", "Röntgen & <Söhne>")}


def data_of(
    element: ElementTree.Element, keys: dict[str | None, tuple[str | None, str | None]]
) -> dict[str, str]:
    """The data of a node or an edge by the names of its keys, which must be declared for such."""
    kind = element.tag.removeprefix(GRAPHML)
    found = {}
    for each in element.iter(f"{GRAPHML}data"):
        what, name = keys[each.get("key")]
        assert what == kind and name is not None
        found[name] = each.text or ""
    return found


def test_a_folder_that_is_there_is_not_written_into(engine: Engine, tmp_path: Path) -> None:
    learn_fact(engine, NewFact(claim="Crane 4 is red", channel="quay"), author=RUNA)
    (tmp_path / "out").mkdir()
    with pytest.raises(Conflict, match="out is there already"):
        send(engine, "markdown-agenticx", tmp_path / "out")
    with pytest.raises(BadAsk, match="no format zip"):
        send(engine, "zip", tmp_path / "out.zip")


def test_a_folder_of_another_system_is_known_for_what_it_is(engine: Engine, tmp_path: Path) -> None:
    furnish(engine, tmp_path)
    for name in ("AgenticX", "OpenClaw"):
        out = tmp_path / name.lower()
        send(engine, f"markdown-{name.lower()}", out)
        (place,) = places_of(out, [path.relative_to(out).as_posix() for path in out.rglob("*.md")], ())
        assert layout_named(place.layout).days is not None
        assert look(engine, out).items


@pytest.mark.parametrize("name", [row.name for row in formats.formats().rows])
def test_a_preview_counts_what_then_goes_out(engine: Engine, tmp_path: Path, name: str) -> None:
    furnish(engine, tmp_path)
    told = formats.preview(engine, AskExportPreview(format=name))
    sent = send(engine, name, tmp_path / "out")
    names = {"memories": "facts", "tool_invocations": "tool_calls"}
    out = {names.get(table, table): number for table, number in sent.items()}
    shared = told.goes.keys() & out.keys()
    assert shared and {table: told.goes[table] for table in shared} == {table: out[table] for table in shared}
    assert told.format.leaves and not told.goes.keys() & told.stays.keys()
    assert sum(told.goes.values()) > 0 and "_global" in told.channels and "local" in told.users


def test_a_preview_narrows_to_one_channel_and_refuses_as_the_export_does(
    engine: Engine, tmp_path: Path
) -> None:
    furnish(engine, tmp_path)
    everything = formats.preview(engine, AskExportPreview(format="mem0"))
    quay = formats.preview(engine, AskExportPreview(format="mem0", channel="quay"))
    assert 0 < quay.goes["facts"] < everything.goes["facts"]
    with pytest.raises(NotFound, match="no channel nowhere"):
        formats.preview(engine, AskExportPreview(format="mem0", channel="nowhere"))
    with pytest.raises(NotFound, match="nothing of a user Nemo"):
        formats.preview(engine, AskExportPreview(format="mem0", user_id="Nemo"))
