"""The HTTP API, one module for each resource.

Law: a route reads its input, calls a function of another package, and responds with a body of ``bodies``. Routes hold no
rules, no redaction and no storage, and never import each other. The names of their functions are labels of metrics.
"""
