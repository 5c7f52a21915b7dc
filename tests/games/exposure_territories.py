"""Who may know what in Territories: everything lies on the table, for everybody."""

EXPOSURE: dict[tuple[str, str], str] = {
    ("placed", "seat"): "public",
    ("placed", "at"): "public",
    ("moved", "seat"): "public",
    ("moved", "from_"): "public",
    ("moved", "to"): "public",
    ("passed", "seat"): "public",
    ("place", "at"): "public",
    ("move", "from_"): "public",
    ("move", "to"): "public",
}

REVEALS: frozenset[str] = frozenset()
"""The events that by the rules tell everybody what was hidden before: none."""
