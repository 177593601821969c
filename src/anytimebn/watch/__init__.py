"""What users see while they wait."""
