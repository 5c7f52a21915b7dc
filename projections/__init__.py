"""Read models as folds of commits: what is read across matches.

Law: imports ``domain`` only; a read model is a pure function of commits, stored by an adapter.
"""
