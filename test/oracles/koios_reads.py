"""Reads the double of Koios with the unmodified client koios_api: one JSON object of its answers on standard output."""

import json
import sys

import koios_api as koios

stake, payment, unit = sys.argv[1:]
listed = koios.get_account_txs(stake)
print(
    json.dumps(
        {
            "get_tip": koios.get_tip(),
            "get_blocks": koios.get_blocks(3),
            "get_epoch_info": koios.get_epoch_info(),
            "get_account_txs": listed,
            "get_account_info": koios.get_account_info(stake),
            "get_account_assets": koios.get_account_assets(stake),
            "get_address_txs": koios.get_address_txs(payment),
            "get_address_info": koios.get_address_info(payment),
            "get_address_assets": koios.get_address_assets(payment),
            "get_tx_info": koios.get_tx_info([listed[0]["tx_hash"], listed[-1]["tx_hash"]]),
            "get_asset_info": koios.get_asset_info(f"{unit[:56]}.{unit[56:]}"),
        }
    )
)
