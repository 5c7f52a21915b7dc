"""Read models across matches: built from the log by a projector, read by queries.

Law: read models are functions of commits and can be rebuilt at any time. Only a projector that holds a lease writes them.
"""
