"""Drives `sessions mcp` with the official Python SDK, as a foreign client would.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install mcp
    cargo build && /tmp/venv/bin/python crates/mcp/tests/client/client.py target/debug/sessions

It fills a home of its own, then lists the tools, searches, reopens the hit, is refused a session outside its tree, and
gets an answer that it can act on for a blank query. Prints one line for each; ends with status 1 at the first that fails.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile

import jsonschema
from mcp import ClientSession, StdioServerParameters, stdio_client

MAIN = "agent:main:main"
CHILD = "agent:main:subagent:reader"
OTHER = "agent:main:other"


def append(binary, home, key, lines, *flags):
    """Stores messages and returns their ids, as the command acknowledged them."""
    events = "".join(
        json.dumps({"type": "message", "message": {"role": role, "content": text}}) + "\n" for role, text in lines
    )
    done = subprocess.run(
        [binary, "--home", home, "append", key, *flags], input=events, text=True, capture_output=True, check=True
    )
    return [json.loads(line)["id"] for line in done.stdout.splitlines()]


def field(thing, *names):
    """A field under the name that this version of the SDK gives it."""
    for name in names:
        if hasattr(thing, name):
            return getattr(thing, name)
    raise AttributeError(names)


def check(what, holds, detail):
    print(("ok    " if holds else "FAILED ") + what + ": " + detail)
    if not holds:
        sys.exit(1)


async def call(session, tools, name, **arguments):
    """Calls a tool; its answer must be structured, equal as text, and of the announced shape."""
    result = await session.call_tool(name, arguments)
    answer = field(result, "structured_content", "structuredContent")
    assert json.loads(result.content[0].text) == answer, "text and structure differ"
    jsonschema.validate(answer, field(tools[name], "output_schema", "outputSchema"))
    return bool(field(result, "is_error", "isError")), answer


async def talk(session, ids):
    started = await session.initialize()
    check("instructions", bool(started.instructions), f"{len(started.instructions)} characters")

    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    names = ["sessions_history", "sessions_list", "sessions_search"]
    check("lists the tools", sorted(tools) == names, ", ".join(sorted(tools)))
    for tool in tools.values():
        schema = field(tool, "input_schema", "inputSchema")
        jsonschema.Draft202012Validator.check_schema(schema)
        read_only = field(tool.annotations, "read_only_hint", "readOnlyHint")
        check(tool.name, read_only and bool(tool.description), "read only, " + ", ".join(schema["properties"]))

    failed, found = await call(session, tools, "sessions_search", query='"exponential backoff"')
    hits = found["results"]
    check("searches", not failed and [hit["messageId"] for hit in hits] == [ids[1]], hits[0]["snippet"])

    hit = hits[0]
    failed, page = await call(
        session, tools, "sessions_history",
        sessionKey=hit["sessionKey"], sessionId=hit["sessionId"], messageId=hit["messageId"],
    )
    around = [message["messageId"] for message in page["messages"]]
    check("reopens the hit", not failed and around == ids, f"{len(around)} messages around it")

    failed, found = await call(session, tools, "sessions_search", query="lighthouse")
    check("finds what it spawned", not failed and found["results"][0]["sessionKey"] == CHILD, CHILD)

    failed, found = await call(session, tools, "sessions_search", query="marmalade")
    check("does not find the rest", not failed and found["results"] == [] and bool(found["hints"]), found["hints"][0])

    failed, answer = await call(session, tools, "sessions_history", sessionKey=OTHER)
    check("forbidden outside its tree", failed and answer["status"] == "forbidden", answer["error"])
    failed, ghost = await call(session, tools, "sessions_history", sessionKey="agent:main:ghost")
    check("an unknown key alike", failed and ghost["status"] == "forbidden", ghost["error"])

    for query in ["", "   ", "...", "-only -exclusions"]:
        failed, answer = await call(session, tools, "sessions_search", query=query)
        check(f"query {query!r}", failed and answer["status"] == "error", answer["error"])
    failed, answer = await call(session, tools, "sessions_search", query="x", limit=0)
    check("limit 0", failed and "25" in answer["error"], answer["error"])
    failed, answer = await call(session, tools, "sessions_search", query="x", sesionKey=MAIN)
    check("unknown field", failed and "sesionKey" in answer["error"], answer["error"])

    failed, listed = await call(session, tools, "sessions_list")
    keys = sorted(entry["sessionKey"] for entry in listed["sessions"])
    check("lists sessions", not failed and keys == [MAIN, CHILD], ", ".join(keys))


async def main(binary):
    with tempfile.TemporaryDirectory() as home:
        ids = append(binary, home, MAIN, [
            ("user", "which retry policy did we choose?"),
            ("assistant", "we chose exponential backoff with jitter"),
            ("user", "thanks, write that down"),
        ])
        append(binary, home, CHILD, [("assistant", "the lighthouse report is done")], "--spawned-by", MAIN)
        append(binary, home, OTHER, [("user", "marmalade is none of your business")])
        server = StdioServerParameters(
            command=binary, args=["--home", home, "mcp", "--as", MAIN], env={"PATH": os.environ.get("PATH", "")}
        )
        async with stdio_client(server) as (read, write):
            async with ClientSession(read, write) as session:
                await talk(session, ids)


if __name__ == "__main__":
    asyncio.run(main(os.path.abspath(sys.argv[1])))
