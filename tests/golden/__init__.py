"""Recorded matches that must be read for ever.

One folder a game, one file a way of ending. A record is never written again: that folding it gives the views it was recorded
with is the promise that old matches stay readable. ``record.py`` makes new ones and refuses to overwrite.
"""
