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

STATE: dict[tuple[str, str], str] = {
    ("state", "board"): "public",
    ("state", "seats"): "public",
    ("state", "first_seat"): "public",
    ("state", "turns"): "public",
    ("state", "max_rounds"): "public",
}
