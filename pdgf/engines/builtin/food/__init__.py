"""What the built-in engine knows of food: which food is of which kind, what dishes hold, and what people eat when."""
