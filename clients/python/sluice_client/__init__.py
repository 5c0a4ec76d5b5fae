"""Client of the Sluice API. `Sluice` and `AsyncSluice` have a method for each call."""

from .attempts import Payer
from .calls import Answer
from .client import AsyncSluice, Sluice
from .errors import (
    CreditsSpent,
    Forbidden,
    Gone,
    InvalidRequest,
    NotFound,
    NotSynced,
    PaymentPending,
    PaymentRequired,
    RateLimited,
    ServerError,
    SluiceError,
    Unauthorized,
    Unavailable,
)
from .webhooks import UnverifiedEvent, verify_event

__all__ = [
    "Answer",
    "AsyncSluice",
    "CreditsSpent",
    "Forbidden",
    "Gone",
    "InvalidRequest",
    "NotFound",
    "NotSynced",
    "Payer",
    "PaymentPending",
    "PaymentRequired",
    "RateLimited",
    "ServerError",
    "Sluice",
    "SluiceError",
    "Unauthorized",
    "Unavailable",
    "UnverifiedEvent",
    "verify_event",
]
