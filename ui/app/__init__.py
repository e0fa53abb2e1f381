"""The web server: authorization, sessions, sign-on, security headers, errors."""
