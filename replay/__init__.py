"""Reading history: steps, time travel, branches, audit.

Law: imports ``domain`` only; pure functions over entries and matches; never writes.

* ``steps``, ``frames``: a match's commits as steps that a person can follow, and as pictures of text
* ``viewpoint``: the viewpoints from which a viewer may watch a replay
* ``changes``, ``knowledge``: the difference between two views, and the seats that learned something by a commit
* ``audit``: checks that a log is as it was written; ``verify``: checks that it was played by the rules
* ``record``: a match as one document: writing, strict reading
* ``report``: the evidence about one version, and the reasons why a move is legal or not
"""
