"""x402_first.py httpx|requests URL...: requests each URL with the last official client that has version 1 only, in one
session, with the wallet of PAYER_KEY. Prints status, data and receipt of each answer."""

import asyncio
import base64
import json
import os
import sys

from eth_account import Account

account = Account.from_key(os.environ["PAYER_KEY"])


def shown(response, body):
    receipt = response.headers.get("X-PAYMENT-RESPONSE")
    return {
        "status": response.status_code,
        "data": json.loads(body),
        "receipt": receipt and json.loads(base64.b64decode(receipt)),
    }


async def by_httpx(urls):
    from x402.clients.httpx import x402HttpxClient

    async with x402HttpxClient(account=account, timeout=60.0) as http:
        answers = []
        for url in urls:
            response = await http.get(url)
            answers.append(shown(response, await response.aread()))
        return answers


def by_requests(urls):
    from x402.clients.requests import x402_requests

    session = x402_requests(account)
    return [shown(response, response.content) for response in (session.get(url) for url in urls)]


way, *urls = sys.argv[1:]
print(json.dumps(asyncio.run(by_httpx(urls)) if way == "httpx" else by_requests(urls)))
