"""What is known about a network before it is learned."""
