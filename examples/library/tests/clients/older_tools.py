"""Lists and calls the library's tools with an official Python client of an earlier year.

usage: older_tools.py URL PROGRAM DATABASE
"""

import asyncio
import json
import sys

import mcp.types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

# The client asks for its newest revision. That of programs had one before it.
NEWEST = mcp.types.LATEST_PROTOCOL_VERSION
OLDEST = "2024-11-05"


async def check(session, version):
    mcp.types.LATEST_PROTOCOL_VERSION = version
    introduced = await session.initialize()
    assert introduced.protocolVersion == version, introduced
    assert "book_find" in introduced.instructions, introduced
    await session.send_ping()

    has_structure = version >= "2025-06-18"
    listed = await session.list_tools()
    assert len(listed.tools) == 7, listed
    for tool in listed.tools:
        assert tool.description, tool
        assert tool.inputSchema["type"] == "object", tool
        output = getattr(tool, "outputSchema", None)
        assert (output is not None) == has_structure, tool

    # A client that knows the output schema checks the result by it.
    found = await session.call_tool("book_find", {"words": "whale", "limit": 1})
    assert not found.isError, found
    (block,) = found.content
    result = json.loads(block.text)
    assert result["books"][0]["title"] == "Moby-Dick; or, The Whale", result
    structured = getattr(found, "structuredContent", None)
    assert structured == (result if has_structure else None), found

    wrong = await session.call_tool("book_find", {"limit": 1000})
    assert wrong.isError, wrong
    assert "from 1 to 100" in wrong.content[0].text, wrong


async def main(url, program, database):
    async with streamablehttp_client(url) as (reader, writer, _):
        async with ClientSession(reader, writer) as session:
            await check(session, NEWEST)
    print(f"mcp {NEWEST}: {url}: fine")
    server = StdioServerParameters(command=program, args=["--mcp", "--database", database])
    for version in [NEWEST, OLDEST]:
        async with stdio_client(server) as (reader, writer):
            async with ClientSession(reader, writer) as session:
                await check(session, version)
        print(f"mcp {version}: standard input and output: fine")


asyncio.run(main(*sys.argv[1:]))
