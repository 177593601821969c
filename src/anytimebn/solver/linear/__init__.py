"""The linear program with cutting planes, and branch and cut."""
