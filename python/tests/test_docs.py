"""The examples of docs/python.md, one after the other."""

import contextlib
import io
import os
import re
import unittest

from games import ROOT


class Page(unittest.TestCase):
    def test_the_examples_run_and_print_what_they_say(self):
        text = (ROOT / "docs/python.md").read_text()
        examples = re.findall(r"(<!-- needs a server -->\n)?```python\n(.*?)```", text, re.S)
        self.assertGreater(len(examples), 6)
        names = {}
        for server, code in examples:
            url = os.environ.get("WYRMGATE_URL")
            if server and not url:
                continue
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code.replace("http://127.0.0.1:8080", url or ""), names)
            for said in re.findall(r"print\([^#\n]*# (\S.*)", code):
                self.assertIn(said, printed.getvalue())


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
