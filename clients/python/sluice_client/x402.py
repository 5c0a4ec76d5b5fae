"""Pays for calls at the gateway with USDC. Needs `pip install 'sluice-client[x402]'`."""

from collections.abc import Mapping

import httpx
from eth_account.signers.local import LocalAccount
from x402 import x402ClientSync
from x402.http import x402HTTPClientSync
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client

from .attempts import Payer


def x402_payer(account: LocalAccount, *, max_usd: str = "0.10", network: str = "eip155:8453") -> Payer:
    """Pays with the wallet of `account`, at most `max_usd` for a call. The network is Base by default."""
    wallet = x402ClientSync().set_spend_controls({"max_amount_per_payment": f"${max_usd}"})
    register_exact_evm_client(wallet, EthAccountSigner(account), networks=network)
    client = x402HTTPClientSync(wallet)

    def pay(challenge: httpx.Response) -> Mapping[str, str]:
        headers, _ = client.handle_402_response(
            dict(challenge.headers), challenge.content, str(challenge.request.url)
        )
        return headers

    return pay
