"""The rules, game by game: each rule has a test that names it; and who may know what (``exposure_<id>.py``)."""
