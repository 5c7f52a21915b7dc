"""All benchmarks, the quick ones first; the last line is the ratio of moves over HTTP to the bare endpoint."""

from benchmarks import http_moves, in_process, memory, verifying

in_process.main()
verifying.main()
memory.main()
print(f"ratio {http_moves.main():.2f}")
