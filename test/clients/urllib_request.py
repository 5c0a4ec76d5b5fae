"""Makes the calls that arrive as lines of JSON with Python's urllib.request, which raises on errors."""

import json
import sys
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

for line in sys.stdin:
    call = json.loads(line)
    data = None if call["body"] is None else call["body"].encode()
    request = Request(sys.argv[1] + call["path"], data, call["headers"], method=call["method"])
    try:
        try:
            response = urlopen(request)
        except HTTPError as error:
            response = error
        with response:
            told = {
                "status": response.status,
                "headers": {name.lower(): value for name, value in response.headers.items()},
                "body": response.read().decode(),
            }
    except (URLError, OSError) as error:
        told = {"failure": repr(error)}
    print(json.dumps(told), flush=True)
