"""Requests over the bundled catalogues, each with what a well-read person would and would not recommend."""
