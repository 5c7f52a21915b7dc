"""The process for jobs that may take long and must delay nobody: bots.

* ``bots``: moves for seats that bots play · ``loop``: takes the lease and works · ``__main__``: the process
"""
