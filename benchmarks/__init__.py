"""What performance claims rest on: each figure beside a baseline, in one run.

``python -m benchmarks`` runs all of them and ends with a line ``ratio <number>``: moves over HTTP to requests of a bare
Flask endpoint that does one XADD, on the same server, workers and client.
"""
