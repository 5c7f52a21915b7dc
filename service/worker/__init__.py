"""The worker process: keeps the read models up to date, lets disputes expire, audits the log, releases seats.

Law: it works while it holds a lease, and loads neither Flask nor gevent. ``python -m service.worker`` runs it.
"""
