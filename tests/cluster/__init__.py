"""What needs a Ray cluster: two nodes of it on this computer. `make test-ray` installs it and runs these."""
