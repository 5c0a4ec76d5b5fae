"""Prints the events of a stream as lines of JSON, and goes on where it was when the stream ends.

Written from docs/events.md with the standard library of Python alone. Arguments: URL of the stream, API key.
"""

import json
import sys
import time
from http.client import HTTPException
from urllib.request import Request, urlopen


def events(url, key):
    last = None
    while True:
        headers = {"X-API-KEY": key}
        if last is not None:
            headers["Last-Event-ID"] = last
        try:
            with urlopen(Request(url, headers=headers), timeout=60) as answer:
                print(json.dumps({"opened": answer.status}), flush=True)
                event = {}
                for line in answer:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name != "":
                        event[name] = value
                        continue
                    if "data" in event:
                        last = event["id"]
                        yield event
                    event = {}
        except (OSError, HTTPException):
            pass
        time.sleep(0.1)


seen = set()
for event in events(sys.argv[1], sys.argv[2]):
    envelope = json.loads(event["data"])
    if envelope["id"] not in seen:
        seen.add(envelope["id"])
        print(json.dumps(envelope), flush=True)
