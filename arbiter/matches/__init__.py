"""Attempts: seats tables, drives them, commits their results."""
