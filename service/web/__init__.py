"""The web process: HTTP in, HTTP out.

Law: only here are Flask and gevent known. A route reads its input, calls one function of another package, and answers.
"""
