"""All benchmarks, the quick ones first; the last line is the ratio of moves over HTTP to the bare endpoint."""

import sys

from benchmarks import (
    crowding,
    deciding,
    http_moves,
    in_process,
    limiting,
    memory,
    projecting,
    reading,
    refusing,
    seeking,
    streams,
    verifying,
)

in_process.main()
deciding.main()
verifying.main()
limiting.main()
memory.main()
seeking.main()
projecting.main()
reading.main()
refusing.main()
if sys.platform == "linux":  # it counts with epoll and /proc
    streams.main()
    crowding.main()
print(f"ratio {http_moves.main():.2f}")
