"""Benchmarks: ``python -m benchmarks`` measures every figure the project publishes."""
