"""Live streams: one reader for each match (and one for the lobby) in a process, however many viewers there are."""
