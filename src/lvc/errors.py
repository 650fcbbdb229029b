"""The one error a user of lvc has to know, and a kind of it."""


class LvcError(ValueError):
    """Bad input: one sentence that says what was wrong, what was got and what to do about it."""


class TooLargeError(LvcError):
    """What was asked for would not fit into memory."""
