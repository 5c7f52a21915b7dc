"""Reading history: steps, time travel, branches, audit.

Law: imports ``domain`` only; pure functions over entries and matches; never writes.

* ``steps``: a match's commits as steps that a person can follow
* ``audit``: whether a log is what was once written
"""
