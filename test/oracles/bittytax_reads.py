"""Converts files with the unmodified bittytax_conv. It asks for names of currencies on import, which nothing answers here."""

import requests


class Nothing:
    status_code = 200
    headers = {}

    def json(self):
        return {"symbols": {}}

    def raise_for_status(self):
        pass


requests.get = lambda *_, **__: Nothing()

from bittytax.conv.bittytax_conv import main  # noqa: E402

main()
