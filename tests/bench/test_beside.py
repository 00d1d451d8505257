"""The bench beside neighbours, at a tiny size and without them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.bench import beside


def test_a_tiny_bench_prints_a_table_and_writes_its_figures(tmp_path: Path) -> None:
    assert beside.main(["--sizes", "40", "--rounds", "1", "--alone", "--out", str(tmp_path)]) == 0
    [figures] = json.loads((tmp_path / "figures.json").read_text())
    assert (figures["name"], figures["size"]) == ("memdesk", 40)
    assert (len(figures["recall"]), len(figures["add"])) == (beside.ACTS["recall"], beside.ACTS["add"])
    assert figures["memory_mb"] > 20 and figures["disk_mb"] > 0.1
    assert min(figures["calls"].values()) > 0


def test_a_neighbour_that_fails_is_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    own = [sys.executable, "-m", "tests.bench.contenders"]
    found = beside.measured(40, {"memdesk": own, "chroma": [sys.executable, "-c", "exit(1)"]}, rounds=1)
    assert [each["name"] for each in found] == ["memdesk"]
    assert "chroma is left out at 40 facts: The contender ended at fill." in capsys.readouterr().out


def test_a_ratio_compares_medians_with_memdesk() -> None:
    each = {"size": 9, "memory_mb": 1, "disk_mb": 1, "fill_s": 1, "open_s": 1, "open_worked_s": 1}
    each |= {"recall_worked": [1.5], "add_worked": [0.5]}
    told = beside.table(
        9,
        [
            {"name": "memdesk", "recall": [2.0] * 3, "add": [4.0] * 3, **each},
            {"name": "chroma", "recall": [1.0, 3.0, 99.0], "add": [2.0] * 3, **each},
        ],
    )
    assert "| chroma | 3.0 / 99.0 / 99.0 | 1.50 | 1.5 | 2.0 / 2.0 / 2.0 | 0.50 | 0.5 |" in told
