"""Bodies of requests and responses, one module for each subject.

Each holds what is read (marshmallow), what is answered (a ``Body``, see ``body``), and the functions that make the answer.
To add a field to a response body, add it to the class and to what makes it, which mypy names.

Law: what arrives here has been redacted already; a body never looks at a hidden card.
"""
