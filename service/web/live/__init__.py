"""Live streams. In each process one reader follows each watched match, and one the lobby, however many viewers there are.

``broadcast`` sends messages to viewers; ``match`` and ``lobby`` read what is new and make the messages.

Law: a message is made once for all viewers who may see the same; a viewer never gets a byte that depends on anything else.
"""
