"""Tests; what several of them share (oracle, generators) is imported as `tests.name`."""
