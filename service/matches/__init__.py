"""The write side: load a match, decide a command on it, append what happens.

Law: ``handler`` is the only writer of the log. Nothing here knows HTTP, the worker or the command line.
"""
