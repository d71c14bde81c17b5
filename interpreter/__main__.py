"""`python -m interpreter` is the same program as `rulewright`."""

from .cli import main

if __name__ == "__main__":
    main()
