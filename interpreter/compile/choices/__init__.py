"""What may be chosen: from the checked `choose` to the options."""
