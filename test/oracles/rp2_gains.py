"""Computes basis and gain of every disposal with rp2: `rp2_gains.py fifo|lifo|hifo` reads streams, prints rows, as JSON.

Runs the steps of rp2_us between reading the spreadsheet and writing the reports. There is no spreadsheet, because rp2
reads its cells as doubles with 11 places.
"""

import json
import sys
from importlib import import_module

from prezzemolo.avl_tree import AVLTree
from rp2.accounting_engine import AccountingEngine
from rp2.configuration import MIN_DATE, Configuration
from rp2.in_transaction import InTransaction
from rp2.input_data import InputData
from rp2.out_transaction import OutTransaction
from rp2.plugin.country.us import US
from rp2.rp2_decimal import ZERO, RP2Decimal
from rp2.tax_engine import compute_tax
from rp2.transaction_set import TransactionSet

HEADERS = """
[in_header]
timestamp = 0
[out_header]
timestamp = 0
[intra_header]
timestamp = 0
"""


def configuration_of(streams):
    with open("rp2.ini", "w", encoding="utf-8") as file:
        assets = ", ".join(stream["asset"] for stream in streams)
        file.write(f"[general]\nassets = {assets}\nexchanges = account\nholders = owner\n{HEADERS}")
    return Configuration("rp2.ini", US())


def engine_of(method):
    years = AVLTree()
    years.insert_node(MIN_DATE.year, import_module(f"rp2.plugin.accounting_method.{method}").AccountingMethod())
    return AccountingEngine(years)


def transaction_of(configuration, asset, event):
    quantity, usd = RP2Decimal(event["quantity"]), RP2Decimal(event["usd"])
    common = {
        "configuration": configuration,
        "timestamp": event["at"],
        "asset": asset,
        "exchange": "account",
        "holder": "owner",
        "spot_price": usd / quantity,
        "row": event["row"],
    }
    if event["kind"] == "acquire":
        return InTransaction(**common, transaction_type="BUY", crypto_in=quantity, fiat_in_no_fee=usd)
    if event["isFee"]:
        return OutTransaction(
            **common, transaction_type="FEE", crypto_out_no_fee=ZERO, crypto_fee=quantity, fiat_fee=usd
        )
    return OutTransaction(
        **common, transaction_type="SELL", crypto_out_no_fee=quantity, crypto_fee=ZERO, fiat_out_no_fee=usd
    )


def rows_of(configuration, engine, stream):
    asset = stream["asset"]
    sets = {kind: TransactionSet(configuration, kind, asset) for kind in ("IN", "OUT", "INTRA")}
    keys = {}
    for event in stream["events"]:
        keys[event["row"]] = event["key"]
        sets["IN" if event["kind"] == "acquire" else "OUT"].add_entry(transaction_of(configuration, asset, event))
    if sets["OUT"].is_empty():
        return []
    computed = compute_tax(configuration, engine, InputData(asset, sets["IN"], sets["OUT"], sets["INTRA"]))
    rows = {}
    for part in computed.gain_loss_set:
        key = keys[part.taxable_event.row]
        basis, gain = rows.get(key, (ZERO, ZERO))
        rows[key] = (basis + part.fiat_cost_basis, gain + part.fiat_gain)
    return [{"key": key, "basis": str(basis), "gain": str(gain)} for key, (basis, gain) in rows.items()]


def main():
    streams = json.load(sys.stdin)
    configuration = configuration_of(streams)
    engine = engine_of(sys.argv[1])
    json.dump([row for stream in streams for row in rows_of(configuration, engine, stream)], sys.stdout)


main()
