"""Commands that need the server part: `hearts up` and `hearts demo`."""
