"""What both verifiers are held against: ``verify.json`` and ``forms.json``, each made once and never again.

``hmac`` are those of RFC 4231; ``seal``, ``draws`` and ``records`` are ours. A record's ``fault`` is its version and kind,
``null`` if it holds; ``rules`` says that only who knows the rules finds it.
"""
