"""Code, scripts and styles shared by the pages."""
