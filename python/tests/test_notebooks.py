"""The notebooks run, and their agents win."""

import os
import sys
import unittest
from unittest import mock

from games import ROOT

sys.path.append(str(ROOT / "python/notebooks"))
import run


class Notebooks(unittest.TestCase):
    def test_every_cell_shows_what_the_notebook_has(self):
        os.chdir(ROOT)
        with mock.patch.dict(os.environ, WYRMGATE_QUICK="1"):
            for file in sorted((ROOT / "python/notebooks").glob("*.ipynb")):
                if file.stem != "server" or os.environ.get("WYRMGATE_URL"):
                    with self.subTest(file.name):
                        self.assertGreater(run.play(file), 2)
        self.assertEqual(len(list((ROOT / "python/notebooks").glob("*.ipynb"))), 3)


if __name__ == "__main__":
    unittest.main()
