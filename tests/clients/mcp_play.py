"""Plays whole games with clients of the Model Context Protocol.

mcp_play.py stdio PROGRAM GAME...   the official SDK for Python; PROGRAM may have arguments
mcp_play.py http URL GAME...        the same over HTTP; URL is that of the endpoint
mcp_play.py fastmcp URL GAME...     FastMCP, whose SDK is another version, in an environment of its own
"""
import asyncio
import random
import re
import sys
import time

TOOLS = ["games", "rules", "new_table", "join", "look", "move", "wait", "result"]


async def call(tools, tool, **arguments):
    content = await tools(tool, arguments)
    text = content[0].text
    assert "wg_" not in text, "a token is shown: " + text
    return text


def numbers(text):
    """The numbers of the choices; none if the model owes nothing."""
    return re.findall(r"#\d+", text.partition("(#N):\n")[2])


async def play(tools, game):
    text = await call(tools, "new_table", game=game, level="random", name="model")
    table = text.split()[1]
    text = await call(tools, "join", table=table)
    picture = (await tools("look", {"picture": True}))[1]
    assert picture.type == "image" and picture.data.startswith("iVBOR"), picture
    moves, longest = 0, 0
    while True:
        longest = max(longest, len(text))
        found = numbers(text)
        if found:
            text = await call(tools, "move", choice=random.choice(found))
            moves += 1
        elif ": finished" in await call(tools, "result", table=table):
            return moves, longest
        else:
            text = await call(tools, "wait", table=table, seconds=5)


async def play_all(tools, games, way):
    for game in games:
        began = time.monotonic()
        moves, longest = await play(tools, game)
        print(f"{way} {game}: {moves} moves, texts of up to {longest} letters, {time.monotonic() - began:.1f} s")


async def with_sdk(streams, games, way):
    from mcp import ClientSession

    read, write = streams[:2]
    async with ClientSession(read, write) as session:
        await session.initialize()
        assert [tool.name for tool in (await session.list_tools()).tools] == TOOLS
        assert len((await session.list_prompts()).prompts) == 2
        assert (await session.list_resources()).resources

        async def tools(name, arguments):
            result = await session.call_tool(name, arguments)
            assert not result.isError, (name, arguments, result.content)
            return result.content

        await play_all(tools, games, way)


async def stdio(program, games):
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    command, *arguments = program.split()
    parameters = StdioServerParameters(command=command, args=arguments)
    async with stdio_client(parameters) as streams:
        await with_sdk(streams, games, "stdio")


async def http(url, games):
    from mcp.client.streamable_http import streamablehttp_client

    async with streamablehttp_client(url) as streams:
        await with_sdk(streams, games, "http")


async def fastmcp(url, games):
    from fastmcp import Client

    async with Client(url) as client:
        assert [tool.name for tool in await client.list_tools()] == TOOLS
        assert len(await client.list_prompts()) == 2

        async def tools(name, arguments):
            return (await client.call_tool(name, arguments)).content  # raises what a tool refuses

        await play_all(tools, games, "fastmcp")


if __name__ == "__main__":
    random.seed(5)
    way, target, *games = sys.argv[1:]
    asyncio.run({"stdio": stdio, "http": http, "fastmcp": fastmcp}[way](target, games))
