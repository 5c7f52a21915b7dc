"""Bodies: what requests may hold, and what answers hold, one module for each subject.

Law: what arrives here has been redacted already; a body never looks at a hidden card.
"""
