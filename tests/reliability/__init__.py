"""Faults that comparable software was found to have, each tried here: cases.toml says where."""
