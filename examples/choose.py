#!/usr/bin/env python3
"""A program for evaluate.py and tournament.py: reads a JSON object per line, {"view": …, "decision": …}, and writes the id of a
choice for each. `choose.py first` takes the first choice, `choose.py` any."""
import json
import random
import sys

for line in sys.stdin:
    choices = json.loads(line)["decision"]["choices"]
    choice = choices[0] if sys.argv[1:] == ["first"] else random.choice(choices)
    print(choice["id"], flush=True)
