"""The clients: Sluice waits for each answer, AsyncSluice is awaited. They differ in nothing else."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, closing
from types import TracebackType
from typing import Any, Self

import httpx

from .attempts import Payer, Terms
from .calls import Answer, Call
from .errors import SluiceError, error_of
from .models import EventType, WebhookEvent
from .operations import AsyncOperations, Operations
from .stream import PAUSE_S, EventStream

TIMEOUT_S = 60


class Sluice(Operations):
    """Calls the API: `Sluice("http://127.0.0.1:8080/v1", key="sl_...").get_coins(limit=5).data`.

    `max_wait_s` is the longest wait in seconds before a retry; 0: no retries. `payer` pays at the gateway, see
    `sluice_client.x402`. `http` is used instead of a client of its own, such as one with a proxy.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        max_wait_s: float = 10,
        payer: Payer | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._terms = Terms(url, key, max_wait_s=max_wait_s, payer=payer)
        self._http = http or httpx.Client(timeout=TIMEOUT_S)

    def _call(self, call: Call) -> Answer[Any]:
        attempts = self._terms.begin(self._http, call)
        while True:
            time.sleep(attempts.wait_s)
            try:
                response = self._http.send(attempts.request)
            except httpx.TransportError as error:
                attempts.lost(error)
                continue
            if attempts.answered(response):
                return Answer(response.json(), response)

    def stream_events(
        self,
        *,
        types: Sequence[EventType] | None = None,
        addresses: Sequence[str] | None = None,
        after: str | None = None,
    ) -> Iterator[WebhookEvent]:
        """Yields each event once as it happens, until you stop reading.

        `types`: only these; absent: all. `addresses`: only these wallets; absent: those among your portfolios.
        `after`: `seq` of the last event that you have; absent: the stream begins with what happens from now on.
        A stream that ends or breaks is opened again after the last event, so that none is missing. Raises a
        SluiceError if waiting does not help, such as Gone: events after `after` are no longer kept.
        """
        stream = EventStream(types, addresses, after)
        while True:
            try:
                request = stream.opened(self._terms.request(self._http, stream.call))
                with closing(self._http.send(request, stream=True)) as response:
                    if not response.is_success:
                        response.read()
                        raise error_of(response)
                    for text in response.iter_text():
                        yield from stream.events_in(text)
                pause_s: float = PAUSE_S
            except (SluiceError, httpx.TransportError) as error:
                pause_s = stream.pause_s(error)
            time.sleep(pause_s)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()


class AsyncSluice(AsyncOperations):
    """The same calls, to be awaited: `await AsyncSluice("http://127.0.0.1:8080/v1", key="sl_...").get_coins()`."""

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        max_wait_s: float = 10,
        payer: Payer | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._terms = Terms(url, key, max_wait_s=max_wait_s, payer=payer)
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT_S)

    async def _call(self, call: Call) -> Answer[Any]:
        attempts = self._terms.begin(self._http, call)
        while True:
            await asyncio.sleep(attempts.wait_s)
            try:
                response = await self._http.send(attempts.request)
            except httpx.TransportError as error:
                attempts.lost(error)
                continue
            if attempts.answered(response):
                return Answer(response.json(), response)

    async def stream_events(
        self,
        *,
        types: Sequence[EventType] | None = None,
        addresses: Sequence[str] | None = None,
        after: str | None = None,
    ) -> AsyncIterator[WebhookEvent]:
        """Yields each event once as it happens, as that of Sluice does, until you stop reading."""
        stream = EventStream(types, addresses, after)
        while True:
            try:
                request = stream.opened(self._terms.request(self._http, stream.call))
                async with aclosing(await self._http.send(request, stream=True)) as response:
                    if not response.is_success:
                        await response.aread()
                        raise error_of(response)
                    async for text in response.aiter_text():
                        for event in stream.events_in(text):
                            yield event
                pause_s: float = PAUSE_S
            except (SluiceError, httpx.TransportError) as error:
                pause_s = stream.pause_s(error)
            await asyncio.sleep(pause_s)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()
