"""The referee, sans-I/O: one table's game, clocks and verdicts. Events in, effects out."""
