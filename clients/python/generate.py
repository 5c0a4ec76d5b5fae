"""Writes `models.py` and `operations.py` from docs/openapi.json while a wheel is built.

datamodel-code-generator turns every schema into a TypedDict. It knows no operations, so `operations.py` is printed
here: a method for each call, and one for each list that has pages.
"""

import json
import re
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Iterator

from datamodel_code_generator import DataModelType, InputFileType, generate
from datamodel_code_generator.enums import OpenAPIScope
from datamodel_code_generator.format import Formatter, PythonVersion
from datamodel_code_generator.parser import LiteralType
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
REF = "#/components/schemas/"


class CustomBuildHook(BuildHookInterface[Any]):
    """Called by hatchling for every wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        package = Path(self.root) / "sluice_client"
        # An editable installation reads the sources, so it needs the files among them.
        folder = package if version == "editable" else Path(mkdtemp())
        document = json.loads((Path(self.root) / "../../docs/openapi.json").read_text())
        operations = list(operations_of(document))
        document["components"]["schemas"]["EventType"] = {"type": "string", "enum": list(document["webhooks"])}
        document["components"]["schemas"]["WebhookEvent"] = {
            "anyOf": [
                event["post"]["requestBody"]["content"]["application/json"]["schema"]
                for event in document["webhooks"].values()
            ]
        }
        write_models(document, folder / "models.py")
        (folder / "operations.py").write_text(printed(operations))
        if version != "editable":
            build_data["force_include"][str(folder)] = "sluice_client"


def write_models(document: Json, output: Path) -> None:
    generate(
        json.dumps({**document, "paths": {}}),
        input_filename="openapi.json",
        input_file_type=InputFileType.OpenAPI,
        openapi_scopes=[OpenAPIScope.Schemas],
        output=output,
        output_model_type=DataModelType.TypingTypedDict,
        target_python_version=PythonVersion.PY_311,
        enum_field_as_literal=LiteralType.All,
        use_closed_typed_dict=False,
        use_schema_description=True,
        use_field_description=True,
        disable_timestamp=True,
        formatters=[Formatter.BUILTIN],
    )


def operations_of(document: Json) -> Iterator[Json]:
    """The calls that answer with JSON. Adds schemas of their parameters and answers to the document."""
    schemas = document["components"]["schemas"]

    def named(name: str, schema: Json) -> str:
        """Name of a schema; one without a name gets this one."""
        if "$ref" in schema:
            return schema["$ref"].removeprefix(REF)
        schemas[name] = schema
        return name

    for path, item in document["paths"].items():
        for method in METHODS:
            operation = item.get(method)
            answer = operation and operation["responses"]["200"]["content"].get("application/json")
            if not answer:
                continue
            name = operation["operationId"][0].upper() + operation["operationId"][1:]
            # Headers are arguments of every call, and a share token is sent as one.
            given = [one for one in operation.get("parameters", []) if one["in"] != "header"]
            body = operation.get("requestBody")
            is_paged = any(one["name"] in ("page", "after") for one in given)
            items = items_of(answer["schema"], schemas) if is_paged else None
            yield {
                "name": re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation["operationId"]).lower(),
                "method": method.upper(),
                "path": path,
                "params": named(f"{name}Params", params_schema(given)) if given else None,
                "body": body and named(f"{name}Body", body["content"]["application/json"]["schema"]),
                "needs_body": body and body.get("required", False),
                "answer": named(f"{name}Answer", answer["schema"]),
                "item": items and named(f"{name}Item", items),
                "text": f"{operation['summary']}\n\n{operation.get('description', '')}".strip(),
            }


def params_schema(parameters: list[Json]) -> Json:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [one["name"] for one in parameters if one.get("required")],
        "properties": {
            one["name"]: {**one["schema"], "description": one.get("description", "")} for one in parameters
        },
    }


def items_of(answer: Json, schemas: Json) -> Json | None:
    """Schema of the items of a list; None: the answer is not one list."""
    if "$ref" in answer:
        answer = schemas[answer["$ref"].removeprefix(REF)]
    lists = [answer, *(answer.get("properties", {}).get(key, {}) for key in ("result", "data"))]
    return next((one["items"] for one in lists if one.get("type") == "array"), None)


HEADER = '''"""Every call of the API. Written by generate.py; do not edit."""

from collections.abc import AsyncIterator, Iterator
from typing import Unpack

from . import models
from .calls import Answer, AsyncCaller, Call, Caller
'''


def printed(operations: list[Json]) -> str:
    text = HEADER
    for is_async in (False, True):
        name, base = ("AsyncOperations", "AsyncCaller") if is_async else ("Operations", "Caller")
        text += f'\n\nclass {name}({base}):\n    """A method for each call; parameters have the names of the API."""\n'
        for operation in operations:
            text += call_method(operation, is_async)
            if operation["item"]:
                text += list_method(operation, is_async)
    return text


def call_method(of: Json, is_async: bool) -> str:
    arguments = ["self"]
    if of["body"]:
        arguments.append(f"body: models.{of['body']}" + ("" if of["needs_body"] else " | None = None"))
    if of["method"] != "GET":
        arguments += ["*", "idempotency_key: str | None = None"]
    if of["params"]:
        arguments.append(f"**params: Unpack[models.{of['params']}]")
    call = f'"{of["method"]}", "{of["path"]}", {"params" if of["params"] else "{}"}'
    call += ", body=body" if of["body"] else ""
    call += "" if of["method"] == "GET" else ", idempotency_key=idempotency_key"
    start, wait = ("async def", "await ") if is_async else ("def", "")
    return f"""
    {start} {of["name"]}({", ".join(arguments)}) -> Answer[models.{of["answer"]}]:
{docstring(of["text"])}
        return {wait}self._call(Call({call}))
"""


def list_method(of: Json, is_async: bool) -> str:
    iterator = "AsyncIterator" if is_async else "Iterator"
    return f"""
    def {of["name"].replace("get_", "iter_", 1)}(
        self, **params: Unpack[models.{of["params"]}]
    ) -> {iterator}[models.{of["item"]}]:
        \"\"\"Each item of `{of["name"]}`, page after page.\"\"\"
        return self._items("{of["path"]}", params)
"""


def docstring(text: str) -> str:
    lines = text.replace("\\", "\\\\").replace('"""', "'''").split("\n")
    return "\n".join(f"        {line}".rstrip() for line in [f'"""{lines[0]}', *lines[1:], '"""'])
