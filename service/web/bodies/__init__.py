"""Bodies of requests and responses, one module for each subject.

Each module holds the schemas of its request bodies and queries (marshmallow), the classes of its response bodies (``Body``,
see ``body``), and the functions that fill these. To add a field to a response body, add it to its class and to the function
that fills it; mypy names the places.

Law: everything that arrives here is redacted already; a body never sees a hidden card.
"""
