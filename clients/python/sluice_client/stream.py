"""The event stream: what opens it, what it says, and when it is opened again. Clients of both kinds share this."""

import json
import re
from collections.abc import Iterator, Sequence

import httpx

from .calls import Call
from .errors import RateLimited, SluiceError
from .models import EventType, WebhookEvent

#: Pause before the stream is opened again, in seconds, where the answer names none.
PAUSE_S = 3
LONGEST_PAUSE_S = 60
#: The stream says something every 15 seconds.
SILENCE_S = 45
#: Events that may come again after a break.
REMEMBERED = 10_000
#: httpx counts these among errors of the connection, but they do not pass.
MISTAKES = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


class EventStream:
    """Place in the stream. `events_in` takes the text of a connection as it comes, `pause_s` tells how it ended."""

    def __init__(self, types: Sequence[EventType] | None, addresses: Sequence[str] | None, after: str | None) -> None:
        self.call = Call("GET", "/events/stream", {"types": types, "addresses": addresses})
        self._after = after
        self._seen: dict[str, None] = {}
        self._failures = 0
        self._text = ""

    def opened(self, request: httpx.Request) -> httpx.Request:
        """The request that opens the stream after the last event."""
        self._text = ""
        if self._after is not None:
            request.headers["last-event-id"] = self._after
        request.extensions["timeout"] = httpx.Timeout(SILENCE_S).as_dict()
        return request

    def events_in(self, text: str) -> Iterator[WebhookEvent]:
        """The events that `text` completes, each once. The first block has a number to go on after, and no event."""
        *blocks, self._text = (self._text + text).split("\n\n")
        for block in blocks:
            fields = dict(re.findall(r"^(id|data): (.*)$", block, re.MULTILINE))
            self._after = fields.get("id", self._after)
            if "data" not in fields:
                continue
            self._failures = 0
            event: WebhookEvent = json.loads(fields["data"])
            if event["id"] in self._seen:
                continue
            self._seen[event["id"]] = None
            if len(self._seen) > REMEMBERED:
                del self._seen[next(iter(self._seen))]
            yield event

    def pause_s(self, error: SluiceError | httpx.TransportError) -> float:
        """Seconds until the stream may be opened again. Raises the error if waiting does not help."""
        if isinstance(error, MISTAKES):
            raise error
        self._failures += 1
        growing_s = min(LONGEST_PAUSE_S, PAUSE_S * self._failures)
        if isinstance(error, httpx.TransportError):
            return growing_s
        if error.status < 500 and not isinstance(error, RateLimited):
            raise error
        return growing_s if error.retry_after_s is None else error.retry_after_s
