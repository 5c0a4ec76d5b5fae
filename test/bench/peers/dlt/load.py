"""Merges the transfers of a JSONL file by their key: load.py FILE DATABASE_URL. Prints the seconds of the load."""

import json
import sys
import time

import dlt

file, url = sys.argv[1:]
KEY = ["network_id", "tx_hash", "kind", "position", "item"]


@dlt.resource(
    name="transfers",
    primary_key=KEY,
    write_disposition={"disposition": "merge", "strategy": "upsert"},
    columns={"at": {"data_type": "timestamp"}, "fetched_at": {"data_type": "timestamp"}},
)
def transfers():
    with open(file) as lines:
        batch = []
        for line in lines:
            batch.append(json.loads(line))
            if len(batch) == 5000:
                yield batch
                batch = []
        yield batch


pipeline = dlt.pipeline(
    pipeline_name="sluice_bench",
    pipelines_dir=file + ".dlt",
    destination=dlt.destinations.postgres(url),
    dataset_name="peer_dlt",
)
start = time.perf_counter()
pipeline.run(transfers())
print(time.perf_counter() - start)
