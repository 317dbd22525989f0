"""Leaves links behind, to its own file and to what is not there."""

import os

os.symlink("bot.py", "copy.py")
os.link("bot.py", "hard.py")
os.mkdir("sub")
os.symlink("../bot.py", "sub/up.py")
