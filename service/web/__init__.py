"""The web process: the HTTP API and live streams.

* ``app``: builds the WSGI app from its parts; ``context``: these parts, and the caller of a request
* ``routes``: one module for each resource; ``bodies``: request and response bodies; ``actions``, ``queries``, ``reports``:
  what several routes share
* ``blueprint``, ``encoding``: reading input, writing responses; ``error_handlers``: problems
* ``live``: streams; ``background``: work beside the requests
* ``openapi``, ``schemas``, ``examples``: the API's description; ``metrics``, ``request_log``: what operators see
* ``gunicorn_conf``: how the process runs

Law: only this package imports flask and gevent. It decides nothing about matches: a route reads its input, calls a function
of another package, and responds.
"""
