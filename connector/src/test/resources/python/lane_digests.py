"""Prints the digests that the client makes of the lanes in a batch."""

import sys

import pyarrow as pa

package, stream, lane_rows = sys.argv[1:]
sys.path.insert(0, package)

from lockstep.digest import lane_digests

batch = pa.ipc.open_stream(stream).read_next_batch()
print("\n".join(lane_digests(batch, int(lane_rows))))
