"""Settings with comments: they are read as JSON5, and changed without touching what is around the change."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.client.plugs.json5_text import read, rewritten

COMMENTED = """// my gateway
{
  gateway: { port: 0x4965, 'bind': "loopback" }, // only here
  /* models
     come later */
  agents: {
    list: [
      "main", // the first
      "side",
    ],
  },
  plugins: {}, // none yet
}
"""
WANTED = {"slots": {"memory": "memdesk"}, "entries": {"memdesk": {"enabled": True}}}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda some: (
        st.lists(some, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c", "'\"\n/é"]), some, max_size=4)
    ),
    max_leaves=8,
)


def test_what_is_around_a_change_stays_and_taking_it_back_leaves_no_trace() -> None:
    settings = read(COMMENTED)
    assert settings["gateway"] == {"port": 18789, "bind": "loopback"} and settings["plugins"] == {}
    wanted = copy.deepcopy(settings) | {"plugins": WANTED, "mcp": {"on": [1]}}
    wanted["agents"]["list"].append("third")
    changed = rewritten(COMMENTED, wanted)
    assert read(changed) == wanted
    for line in COMMENTED.splitlines():
        assert line.strip().rstrip("{},").removesuffix("{}, // none yet").strip() in changed
    assert rewritten(changed, settings) == COMMENTED


@pytest.mark.parametrize(
    "text",
    ["{", "{a b}", "[1 2]", "{a: tru}", "", "{} {}", "{'a: 1}", "[" * 500, "/* {} "],
)
def test_what_is_no_json5_is_refused_with_a_word(text: str) -> None:
    with pytest.raises(ValueError, match="JSON|deep"):
        read(text)


@given(VALUES, VALUES, st.sampled_from([None, 2, "\t"]))
def test_any_change_says_what_is_wanted_and_strict_json_stays_strict(
    before: object, after: object, indent: int | str | None
) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=False)
    assert read(text) == before
    assert json.loads(rewritten(text, after)) == after
