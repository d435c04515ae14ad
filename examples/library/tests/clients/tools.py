"""Lists and calls the library's tools with the official Python client, in each of its modes.

usage: tools.py URL PROGRAM DATABASE
"""

import asyncio
import json
import sys

import mcp
from mcp import Client, StdioServerParameters

TOOLS = [
    "book_find",
    "book_get",
    "author_list",
    "author_get",
    "loan_list",
    "member_get",
    "stats",
]


def error(result):
    """The error object that the model reads."""
    assert result.is_error, result
    assert result.structured_content is None, result
    (block,) = result.content
    return json.loads(block.text)


async def check(server, mode):
    async with Client(server, mode=mode) as client:
        listed = await client.list_tools()
        assert [tool.name for tool in listed.tools] == TOOLS, listed
        for tool in listed.tools:
            assert tool.description, tool
            assert tool.annotations.read_only_hint, tool

        # The client checks results by the output schema.
        found = await client.call_tool("book_find", {"words": "whale", "limit": 1})
        assert not found.is_error, found
        (book,) = found.structured_content["books"]
        assert book["title"] == "Moby-Dick; or, The Whale", book
        (block,) = found.content
        assert json.loads(block.text) == found.structured_content
        for name, arguments in [
            ("book_get", {"book": book["id"]}),
            ("author_list", {}),
            ("stats", {}),
        ]:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result

        wrong = error(await client.call_tool("book_find", {"limit": 1000}))
        assert wrong["code"] == -32602, wrong
        assert wrong["data"]["parameter"] == "limit", wrong
        assert "from 1 to 100" in wrong["data"]["reason"], wrong
        missing = error(await client.call_tool("book_get", {"book": 99999}))
        assert (missing["code"], missing["data"]) == (1404, {"book": 99999}), missing

        try:
            await client.call_tool("book_add", {})
        except mcp.MCPError as refused:
            assert "Unknown tool" in str(refused), refused
        else:
            raise AssertionError("a write is no tool")


async def main(url, program, database):
    stdio = StdioServerParameters(command=program, args=["--mcp", "--database", database])
    for server in [url, stdio]:
        for mode in ["auto", "legacy", "2026-07-28"]:
            await check(server, mode)
            print(f"mcp {mode}: {url if server == url else 'standard input and output'}: fine")


asyncio.run(main(*sys.argv[1:]))
