"""Streams of bots: handshakes, frames, one writer each."""
