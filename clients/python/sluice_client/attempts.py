"""When a call is sent, and when it is sent again."""

import random
import re
import time
from collections.abc import Callable, Mapping

import httpx

from .calls import Call
from .errors import error_of

#: Makes the headers that pay for a call from the answer 402 that asks for it.
Payer = Callable[[httpx.Response], Mapping[str, str]]

ATTEMPTS = 3


class Terms:
    """How a client calls. Notes when the rate allows the next call."""

    def __init__(self, url: str, key: str | None, *, max_wait_s: float, payer: Payer | None) -> None:
        self._url = url
        self._key = key
        self.max_wait_s = max_wait_s
        self.payer = payer
        self._free_at = 0.0

    def request(self, http: httpx.Client | httpx.AsyncClient, call: Call) -> httpx.Request:
        return http.build_request(**call.request_parts(self._url, self._key))

    def begin(self, http: httpx.Client | httpx.AsyncClient, call: Call) -> "Attempts":
        return Attempts(self.request(http, call), self)

    def note(self, response: httpx.Response) -> None:
        """RateLimit says that no call is left in this moment, and how soon there are more."""
        spent = re.search(r";r=0;t=(\d+)", response.headers.get("ratelimit", ""))
        if spent:
            self._free_at = time.monotonic() + int(spent[1])

    def pause_s(self) -> float:
        """Seconds until the rate allows a call."""
        return min(self.max_wait_s, max(0.0, self._free_at - time.monotonic()))


class Attempts:
    """One call: send `request` after `wait_s` seconds, until `answered`."""

    def __init__(self, request: httpx.Request, terms: Terms) -> None:
        self.request = request
        self.wait_s = terms.pause_s()
        self._terms = terms
        self._left = ATTEMPTS - 1
        self._has_paid = False

    def answered(self, response: httpx.Response) -> bool:
        """True: this is the answer. False: send again. Raises a SluiceError where that does not help."""
        self._terms.note(response)
        if response.is_success:
            return True
        if response.status_code == 402 and self._terms.payer and not self._has_paid:
            # Each later attempt carries this payment: a new one for the same call would be taken as well.
            self.request.headers.update(self._terms.payer(response))
            self._has_paid = True
            self.wait_s = 0
            return False
        error = error_of(response)
        if error.retry_after_s is not None:
            self._again(error.retry_after_s, error)
        elif response.status_code == 503:
            self._again(self._growing_s(), error)
        else:
            raise error
        return False

    def lost(self, error: httpx.TransportError) -> None:
        """Without an answer. Writes have an idempotency key, so each call has one effect."""
        self._again(self._growing_s(), error)

    def _growing_s(self) -> float:
        """0.5 to 0.75 seconds, then twice as long."""
        return 0.5 * (ATTEMPTS - self._left) * random.uniform(1, 1.5)

    def _again(self, wait_s: float, error: Exception) -> None:
        if self._left == 0 or wait_s > self._terms.max_wait_s:
            raise error
        self._left -= 1
        self.wait_s = wait_s
