"""Why a page cannot be used, inside this package: what finds out does not know the address."""


class Unusable(Exception):
    """A `why` of PageUnusable and a word more for whoever looks at its cause ("404", "image/png"); no text of the page.

    It never leaves this package: the fetcher and the extractor raise PageUnusable from it.
    """

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why}: {detail}" if detail else why)
        self.why = why
        self.detail = detail
