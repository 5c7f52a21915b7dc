"""Reading history: steps, time travel, branches, audit.

Law: imports ``domain`` only; pure functions over entries and matches; never writes.

* ``steps``: a match's commits as steps that a person can follow
* ``audit``: whether a log is what was once written; ``verify``: whether it was played by the rules
* ``record``: a match as one document: writing, strict reading
* ``report``: the evidence about one version; why a move is legal or not
"""
