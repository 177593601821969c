"""What people see while they wait."""
