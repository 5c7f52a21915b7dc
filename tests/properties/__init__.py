"""What holds for every game, at every version, for every viewer.

The suites look at the same recorded matches (``matches.py``), which follow from seeds alone. ``FOLDTABLE_SOAK=20`` plays
twenty times as many.
"""
