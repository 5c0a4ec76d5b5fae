"""Errors of the API as exceptions. What they share is in SluiceError; each class says what a program can do."""

import httpx


class SluiceError(Exception):
    """An error answer of the API or the gateway. `str(error)` is its message."""

    def __init__(self, response: httpx.Response, message: str) -> None:
        super().__init__(message)
        self.response = response
        self.status = response.status_code
        self.message = message
        #: Value of X-Request-Id; None: the answer is not from the API.
        self.request_id = response.headers.get("x-request-id")
        #: Seconds until a retry makes sense; None: waiting does not help, or nobody knows how long.
        self.retry_after_s = retry_after_s(response)


class InvalidRequest(SluiceError):
    """400, 405, 413, 415, 431: change the call."""


class Unauthorized(SluiceError):
    """401: send a valid key."""


class PaymentRequired(SluiceError):
    """402 of the gateway: no payment, or one that does not fit."""


class PaymentPending(SluiceError):
    """409 or 503 of the gateway: the payment may settle. Send the same payment again, never a new one."""


class Forbidden(SluiceError):
    """403: not in the plan, not allowed for the key, or the share needs its passcode."""


class NotFound(SluiceError):
    """404: it does not exist or is not yours."""


class NotSynced(SluiceError):
    """409: the history is not complete; `get_wallet_status` or `get_portfolio_status` says when it is."""


class Gone(SluiceError):
    """410: these events are no longer kept."""


class RateLimited(SluiceError):
    """429 with Retry-After: wait that long."""


class CreditsSpent(SluiceError):
    """429 without Retry-After: waiting helps only after X-Credits-Reset seconds."""


class ServerError(SluiceError):
    """500: a fault in the service; tell the operator the request id."""


class Unavailable(SluiceError):
    """503: the service is busy, or the balances of a wallet are not stored yet."""


CLASSES = {
    400: InvalidRequest,
    401: Unauthorized,
    402: PaymentRequired,
    403: Forbidden,
    404: NotFound,
    405: InvalidRequest,
    409: NotSynced,
    410: Gone,
    413: InvalidRequest,
    415: InvalidRequest,
    429: RateLimited,
    431: InvalidRequest,
    500: ServerError,
    503: Unavailable,
}


def error_of(response: httpx.Response) -> SluiceError:
    """The error that an answer means."""
    try:
        message = response.json()["message"]
    except (ValueError, KeyError, TypeError):
        message = f"Status {response.status_code}"
    kind = CLASSES.get(response.status_code, SluiceError)
    if kind is RateLimited and retry_after_s(response) is None:
        kind = CreditsSpent
    # The gateway asks to wait for a payment; a history that is not complete has no Retry-After.
    if (kind is NotSynced and retry_after_s(response) is not None) or (
        kind is Unavailable and "payment-response" in response.headers
    ):
        kind = PaymentPending
    return kind(response, str(message))


def retry_after_s(response: httpx.Response) -> int | None:
    value = response.headers.get("retry-after", "")
    return int(value) if value.isdecimal() else None
