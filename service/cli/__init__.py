"""The ``foldtable`` command, one module for each subcommand.

Law: a subcommand reads its arguments, calls other packages, and writes plain English to the terminal.
"""
