"""What a page may load from here: plain modules without dependencies and without server calls.

* ``verify.mjs``: verifies a record independently of the Python verifier, all but draws and decisions, which need the rules
"""
