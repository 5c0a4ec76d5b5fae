# Prints each event of an account's stream, with Python's standard library, and goes on after a broken connection.
import json
import os
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def events(url, key):
    last = None
    while True:
        headers = {"X-API-KEY": key}
        if last is not None:
            headers["Last-Event-ID"] = last
        try:
            with urlopen(Request(url, headers=headers), timeout=60) as stream:
                event = {}
                for line in stream:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name != "":
                        event[name] = value
                    else:
                        last = event.get("id", last)
                        if "data" in event:
                            yield json.loads(event["data"])
                        event = {}
        except HTTPError as error:
            # 410 says that events are gone, 401 that the key is wrong.
            if error.code < 500 and error.code != 429:
                raise
        except (OSError, HTTPException):
            pass
        time.sleep(3)


seen = set()
for event in events(os.environ["API"] + "/events/stream", os.environ["KEY"]):
    if event["id"] not in seen:
        print(event["type"], json.dumps(event), flush=True)
    seen.add(event["id"])
