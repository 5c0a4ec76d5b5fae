"""Makes the calls that arrive as lines of JSON, over one connection of Python's http.client."""

import http.client
import json
import sys
from urllib.parse import urlsplit

url = urlsplit(sys.argv[1])
connection = http.client.HTTPConnection(url.netloc)

for line in sys.stdin:
    call = json.loads(line)
    try:
        connection.request(call["method"], url.path + call["path"], body=call["body"], headers=call["headers"])
        response = connection.getresponse()
        told = {
            "status": response.status,
            "headers": {name.lower(): value for name, value in response.getheaders()},
            "body": response.read().decode(),
        }
    except (http.client.HTTPException, OSError) as error:
        connection.close()
        told = {"failure": repr(error)}
    print(json.dumps(told), flush=True)
