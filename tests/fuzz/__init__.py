"""Bad input of every kind, made from seeds and by hand, and what each kind must come to."""
