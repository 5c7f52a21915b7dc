"""Limits: what one client may use of the service, so that it takes nothing from the others.

* ``address``: the client's address behind proxies, and its keyed hash.
* ``tally``: counts of what is open now, over all web processes of a machine.
* ``connections``, ``sockets``, ``worker``: connections, and the time that heads, bodies and responses may take. These run
  below the app, in gunicorn's worker, and load no Flask.
* ``limits``, ``routes``: rates of routes, and live streams.
"""
