"""A call, its answer, and the pages of a list, for clients of both kinds."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx

Data = TypeVar("Data")

#: The API's, of every list.
DEFAULT_LIMIT = 20
#: Secrets travel in headers: addresses end up in logs.
SECRETS = {"shareToken": "sharetoken", "passcode": "passcode"}


@dataclass(frozen=True)
class Call:
    method: str
    #: Template such as `/coins/{coinId}`.
    path: str
    #: Of the path and of the query, by the API's names.
    params: Mapping[str, Any]
    body: object = None
    idempotency_key: str | None = None

    def request_parts(self, url: str, key: str | None) -> dict[str, Any]:
        """Arguments of httpx' `build_request`."""
        rest = {name: text_of(value) for name, value in self.params.items() if value is not None}
        target = re.sub(r"\{(\w+)\}", lambda match: segment(rest.pop(match[1], "")), self.path)
        # A misspelt parameter is an error and not ignored.
        headers = {"prefer": "handling=strict"}
        headers |= {SECRETS[name]: rest.pop(name) for name in SECRETS if name in rest}
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        if self.method != "GET":
            # A write that is sent again has one effect.
            headers["idempotency-key"] = self.idempotency_key or str(uuid4())
        return {
            "method": self.method,
            "url": url.rstrip("/") + target,
            "params": rest,
            "headers": headers,
            "json": self.body,
        }


@dataclass(frozen=True)
class Answer(Generic[Data]):
    """An answer: its data as JSON, and the response with its headers."""

    data: Data
    response: httpx.Response


class Caller:
    """Base of the methods in `operations.py`."""

    def _call(self, call: Call) -> Answer[Any]:
        raise NotImplementedError

    def _items(self, path: str, params: Mapping[str, Any]) -> Iterator[Any]:
        pages = Pages(params)
        while not pages.done:
            yield from pages.take(self._call(Call("GET", path, pages.params)).data)


class AsyncCaller:
    """Base of the methods in `operations.py` that are awaited."""

    async def _call(self, call: Call) -> Answer[Any]:
        raise NotImplementedError

    async def _items(self, path: str, params: Mapping[str, Any]) -> AsyncIterator[Any]:
        pages = Pages(params)
        while not pages.done:
            for item in pages.take((await self._call(Call("GET", path, pages.params))).data):
                yield item


class Pages:
    """Place in a list: the parameters of the next page, and whether there is one."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.params = dict(params)
        self.done = False

    def take(self, answer: Any) -> list[Any]:
        """Items of a page. A list that does not say whether a page follows ends with one that is not full."""
        named = answer if isinstance(answer, dict) else {"result": answer}
        items: list[Any] = named["result"] if "result" in named else named.get("data", [])
        meta = named.get("meta", {})
        is_full = len(items) >= self.params.get("limit", DEFAULT_LIMIT)
        self.done = not meta.get("hasNextPage", is_full)
        if "next" in meta:
            self.params["after"] = meta["next"]
        else:
            self.params["page"] = self.params.get("page", 1) + 1
        return items


def text_of(value: object) -> str:
    """The API takes lists as one comma-separated value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    return str(value)


def segment(value: str) -> str:
    """Refuses `.` and `..`, which would change the path."""
    if value in ("", ".", ".."):
        raise ValueError(f'"{value}" cannot be part of a path')
    return quote(value, safe="")
