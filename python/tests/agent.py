"""An agent that is reached by MCP: it takes the last choice, and ends after five calls."""

import json
import sys

for call, line in enumerate(sys.stdin):
    message = json.loads(line)
    if "id" not in message:
        continue
    print("this line is no message", flush=True)
    result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "last", "version": "1"}}
    if message["method"] == "tools/call":
        choices = message["params"]["arguments"]["choices"]
        result = {"content": [{"type": "text", "text": choices[-1]}], "_meta": {"tokens": 3}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if call > 6:
        break
