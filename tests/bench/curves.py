"""Curves of `figures.json` as PNG, drawn by matplotlib in the neighbours' environment.

python curves.py FOLDER"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path

MEASURES = {
    "recall": "recall, p50 ms",
    "add": "add, p50 ms",
    "memory_mb": "MB in memory",
    "disk_mb": "MB on disk",
}


def main(folder: str) -> int:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    curves: dict[str, list[dict]] = defaultdict(list)
    for figures in json.loads(Path(folder, "figures.json").read_text()):
        curves[figures["name"]].append(figures)
    picture, axes = pyplot.subplots(2, 2, figsize=(11, 8), constrained_layout=True)
    for axis, (measure, title) in zip(axes.flat, MEASURES.items(), strict=True):
        for name, points in curves.items():
            values = [
                statistics.median(p[measure]) if measure in ("recall", "add") else p[measure] for p in points
            ]
            axis.plot([p["size"] for p in points], values, marker="o", label=name)
        axis.set(xscale="log", yscale="log", title=title, xlabel="facts")
        axis.grid(alpha=0.3)
    axes.flat[0].legend()
    picture.savefig(Path(folder, "curves.png"), dpi=120)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
