"""Prints the covered lines and branches of each package, and fails where lines are below the package's floor.

``make coverage`` runs it after the tests, in the project's root, on the report that ``coverage json`` writes.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

FLOORS = {"bots": 95.0, "domain": 95.0, "projections": 95.0, "replay": 95.0, "service": 90.0}
"""Package → the least share of its lines that tests run, in per cent."""
COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def main(report: Path) -> int:
    """Returns the exit code: 0, or 1 if a package is below its floor."""
    totals: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    for path, file in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        for name in COUNTS:
            totals[path.partition("/")[0]][name] += file["summary"][name]
    low = 0
    for package, floor in FLOORS.items():
        found = totals[package]
        lines = 100 * found["covered_lines"] / max(1, found["num_statements"])
        branches = 100 * found["covered_branches"] / max(1, found["num_branches"])
        verdict = "" if lines >= floor else f", below {floor:.0f} %"
        low += lines < floor
        sys.stdout.write(f"{package}: lines {lines:.1f} %{verdict}, branches {branches:.1f} %\n")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
