"""x402_newest.py httpx|requests URL...: requests each URL with the official client of version 2, in one session, with the
wallet of PAYER_KEY. Prints status, data and receipt of each answer."""

import asyncio
import base64
import json
import os
import sys

from eth_account import Account
from x402 import x402Client, x402ClientSync
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client

signer = EthAccountSigner(Account.from_key(os.environ["PAYER_KEY"]))


def shown(response):
    receipt = response.headers.get("PAYMENT-RESPONSE")
    return {
        "status": response.status_code,
        "data": response.json(),
        "receipt": receipt and json.loads(base64.b64decode(receipt)),
    }


async def by_httpx(urls):
    from x402.http.clients.httpx import x402HttpxClient

    client = x402Client()
    register_exact_evm_client(client, signer)
    async with x402HttpxClient(client, timeout=60.0) as http:
        return [shown(await http.get(url)) for url in urls]


def by_requests(urls):
    from x402.http.clients.requests import x402_requests

    client = x402ClientSync()
    register_exact_evm_client(client, signer)
    with x402_requests(client) as session:
        return [shown(session.get(url)) for url in urls]


way, *urls = sys.argv[1:]
print(json.dumps(asyncio.run(by_httpx(urls)) if way == "httpx" else by_requests(urls)))
