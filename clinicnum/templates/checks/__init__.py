"""What is wrong with a template, told without trying it on patients."""
