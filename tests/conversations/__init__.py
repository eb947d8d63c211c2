"""Conversations of six turns and more, told in TOML, with what a careful person would expect of every turn."""
