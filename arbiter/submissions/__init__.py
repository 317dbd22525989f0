"""What authors submit: the manifest of a bot and the archive around it. Pure, but for reading and
writing the files named; all of it distrusts what it reads."""
