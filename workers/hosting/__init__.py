"""Hosting bots: a submitted program, or a house bot, is started by the worker that plays its
matches, in a sandbox, with a ticket for those matches alone, and is gone afterwards.

limits.py    what one bot may use
host.py      what this machine can do: bubblewrap, seccomp, cgroups; found out by trying
cgroups.py   memory, processes and CPU of everything in one sandbox together
jail.py      the command line of a sandbox; pure
box.py       one program in one sandbox: start, output, end
output.py    what a program writes: the end of it, bounded
endings.py   how it ended, in words
cache.py     versions unpacked, and built, on this machine
crew.py      all hosted bots of one batch
relay.py     bytes between a bot's socket and an arbiter elsewhere
qualify.py   the match that a new version has to play
"""
