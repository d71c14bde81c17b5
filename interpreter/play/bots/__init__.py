"""Bots, one small file each. A bot is a seat that answers by itself; `seats.py` knows them by name."""
