"""Explore what models answered: tables in memory, labels that an account may see, saved views."""
