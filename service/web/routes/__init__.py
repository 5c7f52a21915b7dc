"""The HTTP API, one module a resource.

Law: a route reads its input, calls one function of ``commands`` or ``answers``, and answers. No rules, no redaction, no
storage here.
"""
