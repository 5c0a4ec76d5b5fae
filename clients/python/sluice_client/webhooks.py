"""Checks what a webhook endpoint receives, by Standard Webhooks."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from .models import WebhookEvent

#: Longest difference between the clock of this machine and the time of an attempt, in seconds.
TOLERANCE_S = 300


class UnverifiedEvent(Exception):
    """A request that an endpoint must refuse: it is not from Sluice, it was changed, or it is too old."""


def verify_event(body: bytes | str, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Returns the event of a request. `body` is the request's as it came, `secret` starts with `whsec_`.

    Raises UnverifiedEvent. A type that is newer than this package comes as it is.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp, signatures = (
            given[f"webhook-{name}"] for name in ("id", "timestamp", "signature")
        )
    except KeyError as missing:
        raise UnverifiedEvent(f"The header {missing.args[0]} is missing") from None
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        raise UnverifiedEvent("The request is too old, or the clock of this machine is wrong")
    text = body.encode() if isinstance(body, str) else body
    signed = f"{event_id}.{timestamp}.".encode() + text
    mac = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(mac).decode()}".encode()
    # After a rotation there are two.
    if not any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
        raise UnverifiedEvent("No signature is right")
    event: WebhookEvent = json.loads(text)
    return event
