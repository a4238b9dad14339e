"""Plays whole games with the official Python SDK of the Model Context Protocol, over standard streams and over HTTP.

mcp_play.py PROGRAM URL GAME...   PROGRAM is started as `PROGRAM mcp`; URL is a server with `/mcp`
"""
import asyncio
import random
import sys
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

TOOLS = ["games", "rules", "new_table", "join", "look", "move", "wait", "result"]


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    text = result.content[0].text
    assert "wg_" not in text, "a token is shown: " + text
    assert not result.isError, (tool, arguments, text)
    return text


def count(text):
    """The number of choices; 0 if the model owes nothing."""
    heads = [line for line in text.splitlines() if line.endswith(".N")]
    return int(heads[0].split()[0]) if heads else 0


async def play(session, game):
    table = (await call(session, "new_table", game=game, level="random")).split()[1]
    text = await call(session, "join", table=table, name="model")
    moves, longest = 0, 0
    while True:
        longest = max(longest, len(text))
        found = count(text)
        if found:
            text = await call(session, "move", choice=str(random.randrange(found)))
            moves += 1
        elif '"finished"' in await call(session, "result", table=table):
            return moves, longest
        else:
            text = await call(session, "wait", table=table, seconds=5)


async def games_over(streams, games, way):
    read, write = streams[:2]
    async with ClientSession(read, write) as session:
        await session.initialize()
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        assert len((await session.list_prompts()).prompts) == 2
        assert (await session.list_resources()).resources
        for game in games:
            began = time.monotonic()
            moves, longest = await play(session, game)
            print(f"{way} {game}: {moves} moves, texts of up to {longest} letters, {time.monotonic() - began:.1f} s")


async def main(program, url, games):
    random.seed(5)
    parameters = StdioServerParameters(command=program, args=["mcp", "--rules", "rules"])
    async with stdio_client(parameters) as streams:
        await games_over(streams, games, "stdio")
    async with streamablehttp_client(url + "/mcp") as streams:
        await games_over(streams, games, "http")


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
