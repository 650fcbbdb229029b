"""The one error a user of lvc has to know."""


class LvcError(ValueError):
    """Bad input: one sentence that says what was wrong, what was got and what to do about it."""
